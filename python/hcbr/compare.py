"""python -m hcbr.compare DATA --label COL: hcbr beside other libraries, on the same folds.

The function is `hcbr.compare`. Importing this module makes that name the module, so the module can
be called just as well.
"""

import sys
from types import ModuleType
from typing import Any

from ._compare import Comparison, compare
from ._compare.cli import main

__all__ = ["Comparison", "compare", "main"]


class _Callable(ModuleType):
    def __call__(self, *given: Any, **options: Any) -> Comparison:
        return compare(*given, **options)


if __name__ == "__main__":
    sys.exit(main())
sys.modules[__name__].__class__ = _Callable
