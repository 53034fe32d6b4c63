"""Kernels as other kernels see them: LLVM code to be linked, without machine code and without a wrapper for Python.

numba makes both for every kernel, although most are only ever called from kernels, and optimises a kernel's code again
in each of its callers. Here a kernel is two dispatchers over one function. `Kernel` itself answers to Python; a kernel
that is being compiled finds the `linked` twin of those it calls, whose code goes into it as it was lowered. So LLVM
optimises and emits once for each kernel that Python calls, with everything below it in one module.

The names that begin with an underscore, and the two contexts, are private to numba.
"""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from numba.core import errors, types
from numba.core.codegen import JITCodeLibrary, JITCPUCodegen
from numba.core.registry import CPUDispatcher, cpu_target


class _Library(JITCodeLibrary):
    """Code of one kernel and of all that it calls, for linking only."""

    def _optimize_final_module(self) -> None:
        pass

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:
        """Return 0, numba's address of a kernel without a wrapper; a block in object mode has one, to be called."""
        self._ensure_finalized()
        if any(function.name == name for function in self.get_defined_functions()):
            raise errors.UnsupportedError("a kernel that another kernel calls can have no block in object mode")
        return 0

    def serialize_using_object_code(self) -> Any:
        return self.serialize_using_bitcode()


class _Codegen(JITCPUCodegen):
    _library_class = _Library

    def set_env(self, env_name: str, env: Any) -> None:
        """Do nothing: the global variable is in memory only with a caller (`Kernel.add_overload`)."""

    def insert_unresolved_ref(self, builder: Any, fnty: Any, name: str) -> Any:
        """Refuse a circle of kernels: numba calls its first one at an address, which a linked kernel has not."""
        raise errors.UnsupportedError("kernels cannot call each other in a circle; one may call itself")

    def magic_tuple(self) -> tuple[Any, ...]:
        """Tell the two entries of one kernel apart in its cache."""
        return (*super().magic_tuple(), "linked")


class _Linked(CPUDispatcher):
    targetdescr = SimpleNamespace(
        typing_context=cpu_target.typing_context,
        target_context=cpu_target.target_context.subtarget(_internal_codegen=_Codegen("northmen_env.linked")),
        options=cpu_target.options,
    )


class Kernel(CPUDispatcher):
    """A function compiled for Python, and its `linked` twin for kernels."""

    def __init__(self, py_func: Any, locals_: Any, options: Any) -> None:
        super().__init__(py_func, locals_, options)
        self.linked = _Linked(py_func, locals_, {**options, "no_cpython_wrapper": True})
        self.linked._compiling_counter = self._compiling_counter  # for numba to recognise a call of oneself

    @property
    def _numba_type_(self) -> types.Dispatcher:
        return types.Dispatcher(self.linked)

    def add_overload(self, result: Any) -> None:
        """Take in compiled code; the environments of the linked kernels become known to it, as when it is cached."""
        super().add_overload(result)
        for environment in result._find_referenced_environments():
            result.codegen.set_env(environment.env_name, environment)
