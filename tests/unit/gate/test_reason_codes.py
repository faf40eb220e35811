"""Every reason code of the gate is explained."""

import ast
from pathlib import Path

from litmusgate.gate import reasons
from litmusgate.gate.reasons import EXPLANATIONS


def codes_in(path):
    """Literals given as `code=` or as the code argument of a reason maker in one source file."""
    makers = {"_invalid": 0, "_reason": 1, "_differs": 0}
    found = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if not isinstance(node, ast.Call):
            continue
        values = [keyword.value for keyword in node.keywords if keyword.arg == "code"]
        position = makers.get(getattr(node.func, "id", ""))
        if position is not None and len(node.args) > position:
            values.append(node.args[position])
        for value in values:
            prefix = "pin-" if getattr(node.func, "id", "") == "_differs" else ""
            constants = [part.value for part in ast.walk(value) if isinstance(part, ast.Constant)]
            found |= {prefix + text for text in constants if isinstance(text, str)}
    return found


def test_every_code_in_the_gate_has_its_sentence():
    """Codes are stored and matched, so each one a reader meets can be explained."""
    folder = Path(reasons.__file__).parent
    found = {code for path in sorted(folder.glob("*.py")) for code in codes_in(path)}
    found = {code for code in found if "-" in code.strip("-") and " " not in code and code == code.strip("-")}
    assert len(found) > 50
    assert found <= set(EXPLANATIONS), found - set(EXPLANATIONS)


def test_codes_are_kebab_case_and_sentences_end():
    """Stable ids on the left, one sentence for people on the right."""
    for code, sentence in EXPLANATIONS.items():
        assert code == code.lower()
        assert " " not in code
        assert "_" not in code
        assert sentence.endswith(".")
        assert sentence[0].isupper()
