"""Says what the distribution qddot depends on, when it is built: qddot-core and the page, both of its own version."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

OWN = ("full", "docs", "test")  # extras of the core that are no extras of qddot: it has the first, the others are ours


class Dependencies(MetadataHookInterface):
    """This sets the dependencies, and an extra for each extra of the core that a user may want."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Sets what is dynamic; a source distribution has it written in its PKG-INFO, from which it is read."""
        version = metadata["version"]
        core = Path(self.root).parent / "pyproject.toml"
        extras = tomllib.loads(core.read_text(encoding="utf-8"))["project"]["optional-dependencies"]
        metadata["dependencies"] = [f"qddot-core[full]=={version}"]
        metadata["optional-dependencies"] = {
            "page": [f"qddot-page=={version}"],
            **{name: [f"qddot-core[{name}]=={version}"] for name in extras if name not in OWN},
        }
