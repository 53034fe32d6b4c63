"""The `@kernel` decorator: numba's `njit` with a disk cache that is never stale.

numba decides whether a cached kernel is fresh by the time stamp of the one file that holds it, so an edit in an
imported module, or a changed module constant, returns the old result. Here the folder of the cache is named by the
package version, the numba version and a hash of *all* kernel sources, and every game from outside the package carries
a hash of its own sources in the name of its state's tag field (`layout.record_dtype`), hence in every signature.

Environment variables:
    NORTHMEN_CACHE_DIR    folder of the compiled kernels (default: the user's cache folder, then a private folder below
                          the system's temporary folder, then no cache and one warning)
    NUMBA_DISABLE_JIT     1: kernels are plain Python functions (slow, for debugging)
    NUMBA_BOUNDSCHECK     1: array indices are checked (a cache folder of its own)
"""

from __future__ import annotations

import hashlib
import os
import stat
import sys
import tempfile
import warnings
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import numba
from numba.core.caching import FunctionCache, IndexDataCacheFile

from northmen_env.version import __version__

try:
    from northmen_env.engine.linking import Kernel
except (ImportError, AttributeError):  # a numba that has moved what this needs: the same kernels, slower to compile
    from numba.core.registry import CPUDispatcher as Kernel  # type: ignore[no-redef]

F = TypeVar("F", bound=Callable[..., Any])

JIT_ENABLED = not numba.config.DISABLE_JIT
"""False when `NUMBA_DISABLE_JIT=1`: kernels then run as plain Python."""

_PACKAGE = Path(__file__).resolve().parent.parent


def source_hash(*paths: Path) -> str:
    """Return the first 16 hex digits of a SHA-256 over the Python files at or below `paths` (names and bytes)."""
    digest = hashlib.sha256()
    for path in paths:
        files = sorted(path.rglob("*.py")) if path.is_dir() else [path]
        for file in files:
            digest.update(file.relative_to(path.parent).as_posix().encode() + b"\0")
            digest.update(file.read_bytes() + b"\0")
    return digest.hexdigest()[:16]


@cache
def cache_folder() -> Path | None:
    """Return the folder that holds this version's compiled kernels, or None where nothing can be written."""
    checks = "-checked" if os.environ.get("NUMBA_BOUNDSCHECK", "0") not in ("", "0") else ""
    sources = source_hash(_PACKAGE / "engine", _PACKAGE / "games")
    name = f"{__version__}-numba{numba.__version__}-{sources}{checks}"
    for root in _candidate_roots():
        folder = root / name
        if _is_private_and_writable(folder):
            return folder
    warnings.warn(
        "northmen-env found no folder to keep compiled kernels in, so each process compiles them anew; "
        "set NORTHMEN_CACHE_DIR to a writable folder",
        RuntimeWarning,
        stacklevel=2,
    )
    return None


def _candidate_roots() -> list[Path]:
    chosen = os.environ.get("NORTHMEN_CACHE_DIR")
    if chosen:
        return [Path(chosen)]
    roots = []
    base = os.environ.get("LOCALAPPDATA") if sys.platform == "win32" else os.environ.get("XDG_CACHE_HOME")
    if base:
        roots.append(Path(base) / "northmen-env")
    elif "HOME" in os.environ or sys.platform == "win32":
        roots.append(Path(os.path.expanduser("~")) / ".cache" / "northmen-env")
    user = os.getuid() if hasattr(os, "getuid") else os.environ.get("USERNAME", "user")
    roots.append(Path(tempfile.gettempdir()) / f"northmen-env-{user}")
    return roots


def _is_private_and_writable(folder: Path) -> bool:
    """Create `folder`; refuse one that another user owns, because cached code is executed when it is read."""
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError:
        return False
    if not hasattr(os, "getuid"):
        return True
    info = folder.parent.stat()
    shared = bool(info.st_mode & (stat.S_IWGRP | stat.S_IWOTH)) and not info.st_mode & stat.S_ISVTX
    return info.st_uid == os.getuid() and not shared


class _Index(IndexDataCacheFile):
    """An index whose data files are named by their key.

    numba numbers them, so two processes that compile one function for two signatures at once would write the same
    file and one of them would later be handed the other's code.
    """

    def save(self, key: Any, data: Any) -> None:
        name = self._data_name(int(hashlib.sha256(repr(key).encode()).hexdigest()[:15], 16))
        self._save_data(name, data)
        overloads = self._load_index()
        if overloads.get(key) != name:
            overloads[key] = name
            self._save_index(overloads)


class _KernelCache(FunctionCache):
    def __init__(self, py_func: Callable[..., Any]) -> None:
        super().__init__(py_func)
        self._cache_file = _Index(
            cache_path=self._cache_path,
            filename_base=self._impl.filename_base,
            source_stamp=self._impl.locator.get_source_stamp(),
        )


_OPTIONS = {"nopython": True, "nogil": True, "error_model": "numpy", "no_cfunc_wrapper": True, "_nrt": True}


def kernel(function: F) -> F:
    """Compile `function` with numba: serial, without the GIL, NumPy's error model, cached on disk.

    Kernels take records, arrays and integers, never functions: numba cannot cache a kernel that receives one.
    """
    return _compiled(function, _OPTIONS)


def lean_kernel(function: F) -> F:
    """Compile as `kernel` does a function that makes no array and copies no row: references to arrays are not counted.

    numba counts up and down each array of a tuple, by an atomic operation, wherever the tuple is handed on. Where a
    kernel hands on many arrays and does little else, as in the tree of a search, that is most of its time, and more
    with threads. What a lean kernel calls may make arrays if it is a `kernel` itself. numba refuses to compile a lean
    kernel that makes one ("NRT required", or "Only accept returning of array passed into the function").
    """
    return _compiled(function, {**_OPTIONS, "_nrt": False})


def _compiled(function: F, options: dict[str, Any]) -> F:
    if not JIT_ENABLED:
        return function
    compiled: Any = Kernel(function, {}, dict(options))
    folder = cache_folder()
    if folder is not None:
        previous = numba.config.CACHE_DIR
        numba.config.CACHE_DIR = str(folder)
        try:
            compiled._cache = getattr(compiled, "linked", compiled)._cache = _KernelCache(function)
        except RuntimeError:
            pass  # numba has no place for a function without a source file, typed at a prompt: it is compiled each time
        finally:
            numba.config.CACHE_DIR = previous
    return compiled  # type: ignore[no-any-return]


def entry_point(compiled: Callable[..., Any], *arguments: Any) -> Callable[..., Any]:
    """Return the code of a kernel for the types of `arguments`, to be called from Python without numba's dispatch.

    Finding the signature of two record arrays costs more than a small kernel's work. The result must be called with
    arguments of exactly these types: nothing checks that any more.
    """
    if not JIT_ENABLED:
        return compiled
    signature = tuple(numba.typeof(argument) for argument in arguments)
    found: Callable[..., Any] = compiled.compile(signature)  # type: ignore[attr-defined]
    return found
