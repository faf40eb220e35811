"""YAML and JSON text as plain values that still know where they stood: line and column in every error."""

from litmusgate.documents.document import Document, KeyPath, decode_utf8
from litmusgate.documents.json_text import parse_json
from litmusgate.documents.validation import validate
from litmusgate.documents.yaml_text import parse_yaml

__all__ = ["Document", "KeyPath", "decode_utf8", "parse_json", "parse_yaml", "validate"]
