"""The scan on any suite: order changes nothing, and a verbatim copy is never clean."""

import random

from hypothesis import given, settings
from hypothesis import strategies as st

from litmusgate.provenance.match import ProvenanceStatus
from litmusgate.provenance.scan import scan_suite
from unit.provenance.made_suite import TAU, document, instance, prose

FILLER = [document(f"other-{number}", prose(1000 + number, 120)) for number in range(5)]


@settings(max_examples=25, deadline=None)
@given(st.randoms(use_true_random=False))
def test_the_order_of_inputs_changes_nothing(rng: random.Random) -> None:
    """Instances and documents in any order give equal results, matches included."""
    suite = [instance(f"i{n}", prose(n, 40), attack=prose(70 + n % 2, 30)) for n in range(4)]
    documents = [document(f"d{n}", f"{prose(n % 3, 40)} {prose(90 + n, 20)}", corpus=f"c{n % 2}") for n in range(6)]
    expected = scan_suite(suite, documents, tau=TAU)
    rng.shuffle(suite)
    rng.shuffle(documents)
    assert scan_suite(suite, documents, tau=TAU) == expected


@settings(max_examples=30, deadline=None)
@given(st.text(min_size=1, max_size=200))
def test_any_text_is_found_in_itself_or_not_assessable(text: str) -> None:
    """A2: whatever the script, a verbatim copy is contaminated or says that it could not be measured; never clean."""
    found = scan_suite([instance("i", text)], [document("copy", text), *FILLER], tau=TAU)[0]
    assert found.status in (ProvenanceStatus.CONTAMINATED, ProvenanceStatus.NOT_ASSESSABLE)
