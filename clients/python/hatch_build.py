"""Makes the types of the API while a package is built."""

import subprocess
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class Types(BuildHookInterface):
    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        subprocess.run([sys.executable, str(Path(self.root) / "generate.py")], check=True)
