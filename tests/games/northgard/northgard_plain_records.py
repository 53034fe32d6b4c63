"""Records without NumPy's: kernels that are not compiled read their fields many times faster."""

from __future__ import annotations

from typing import Any

import numpy as np


class Plain:
    """The fields of a record: integers as Python's (64 bits without a sign stay NumPy's), arrays as they are."""

    def __init__(self, record: Any) -> None:
        for name in record.dtype.names:
            value = record[name]
            self.__dict__[name] = value if isinstance(value, (np.ndarray, np.uint64)) else value.item()

    def __getitem__(self, name: str) -> Any:
        return self.__dict__[name]

    def __setitem__(self, name: str, value: Any) -> None:
        if isinstance(value, np.ndarray):
            self.__dict__[name][...] = value
        else:
            self.__dict__[name] = value if isinstance(value, np.uint64) else value.item()

    def copy(self) -> Plain:
        """Return another record with the same content."""
        other = Plain.__new__(Plain)
        for name, value in self.__dict__.items():
            other.__dict__[name] = value.copy() if isinstance(value, np.ndarray) else value
        return other
