"""The calibration for people: text and page say the same counts, escape what is hostile, and draw what was counted."""

import re
from xml.etree import ElementTree as ET

import pytest

from litmusgate.provenance.tau_roc import NoTau
from litmusgate.report.calibration_curves import curve_table
from litmusgate.report.calibration_embedding_facts import EMBEDDING_REMEDIES
from litmusgate.report.calibration_facts import NO_LABELS, REMEDIES
from litmusgate.report.calibration_html import render_tau_html
from litmusgate.report.calibration_text import render_tau_text
from litmusgate.report.layout import cells
from litmusgate.report.roc_svg import LEFT, SIDE, TOP, draw_roc
from unit.report.calibration_worlds import HOSTILE, calibrated, disputed, hostile, with_canary, with_embedding

MADE = [calibrated, disputed, with_canary, with_embedding]


def page_of(document) -> ET.Element:
    """The page as a tree; void elements closed, so that a parser of XML reads it."""
    text = re.sub(r"<(meta)([^>]*)>", r"<\1\2/>", render_tau_html(document)).replace("<!doctype html>", "")
    return ET.fromstring(text)


@pytest.mark.parametrize("made", MADE)
def test_text_stays_within_80_columns_and_ends_with_a_line_end(made):
    """The report fits a terminal and a pipe alike."""
    text = render_tau_text(made())
    assert text.endswith("\n")
    assert max(cells(line) for line in text.split("\n")) <= 80


def test_a_tau_is_told_with_its_bound_and_its_recall():
    """Headline, the exact bound, the weakest kind and the stamp that there were no labels."""
    text = render_tau_text(calibrated())
    assert text.startswith("tau 0.50\n")
    told = " ".join(text.split())
    assert "0 of 62 instances against the sample, at most 4.7 % with 95 % confidence" in told
    assert re.search(r"recall of the weakest kind of copy, \S+: \d+ of 20", told)
    assert NO_LABELS in told


def test_no_tau_is_told_with_its_reason_and_what_to_do():
    """Nobody can read a number out of it."""
    text = render_tau_text(disputed())
    assert text.startswith("no tau: 1 instances may be copies")
    assert REMEDIES[NoTau.DISPUTED] in " ".join(text.split())
    assert "(chosen)" not in text
    assert set(REMEDIES) == set(NoTau)


def test_the_embedding_channel_is_told_with_its_own_tau():
    """τ, model, bound, what was read and found, and its curve beside the others, on text and page."""
    document = with_embedding()
    tau = document.embedding.tau
    for told in (" ".join(render_tau_text(document).split()), "".join(page_of(document).itertext())):
        assert f"embedding tau {tau}, for review only" in told
        assert "of 62 instances against the sample, at most" in told
        assert "Nearness in meaning, every kind of plant" in told
    assert [channel.name for channel in document.channels] == ["similarity", "run", "embedding"]
    assert f"{tau} (chosen)" in render_tau_text(document)


def test_no_embedding_tau_is_told_with_its_reason_and_what_to_do():
    """The words may have a τ, and still nobody reads one of the model out of it."""
    changes = {"tau": None, "problem": NoTau.RECALL, "detail": "too little is found"}
    without = with_embedding().embedding.model_copy(update=changes)
    text = " ".join(render_tau_text(with_embedding().model_copy(update={"embedding": without})).split())
    assert "no embedding tau: too little is found" in text
    assert EMBEDDING_REMEDIES[NoTau.RECALL] in text
    assert set(EMBEDDING_REMEDIES) == set(NoTau)


def test_corpora_that_could_not_be_sampled_are_named():
    """Who reads the report knows that the false positives are not those of the whole index."""
    corpus = calibrated().corpus.model_copy(update={"not_sampled": ("hidden 1",)})
    text = " ".join(render_tau_text(calibrated().model_copy(update={"corpus": corpus})).split())
    assert "not sampled, as the index keeps only hashes of their texts: hidden 1" in text


def test_both_disagreements_are_named_with_counts_and_ids():
    """A3: passes that look clean, and contaminated instances that the canary fails, on text and page."""
    for told in (render_tau_text(with_canary()), "".join(page_of(with_canary()).itertext())):
        assert "passes of the canary that look clean: 1 (i05)" in told
        assert "contaminated instances that the canary fails: 1 (i07)" in told
        assert NO_LABELS not in told


@pytest.mark.parametrize("made", MADE)
def test_hostile_names_are_text_on_the_page_and_nothing_else(made):
    """T5: no element, no attribute and no control character comes from a name; the page loads and runs nothing."""
    html = render_tau_html(hostile(made()))
    page = page_of(hostile(made()))
    assert "<script" not in html
    assert not set(html) & set("\u202e\x1b")
    assert "alert(1)" in "".join(page.itertext())
    allowed = {
        "class",
        "id",
        "name",
        "content",
        "charset",
        "http-equiv",
        "lang",
        "scope",
        "role",
        "tabindex",
        "transform",
    }
    allowed |= {
        "viewBox",
        "x",
        "y",
        "x1",
        "x2",
        "y1",
        "y2",
        "cx",
        "cy",
        "r",
        "points",
        "text-anchor",
        "aria-labelledby",
    }
    assert {name for element in page.iter() for name in element.attrib} <= allowed
    assert "default-src 'none'" in html


@pytest.mark.parametrize("made", MADE)
def test_hostile_names_are_visible_escapes_in_the_text(made):
    """T5: a terminal is sent no control sequence."""
    text = render_tau_text(hostile(made()))
    assert not set(text) & set("\u202e\x1b")
    assert "\\x1b[31m" in text
    assert HOSTILE not in text


@pytest.mark.parametrize("made", MADE)
def test_every_plot_has_a_title_a_description_and_its_table(made):
    """Who cannot see the drawing hears what it is of, and finds all of its numbers beside it."""
    page = page_of(made())
    drawings = [element for element in page.iter() if element.tag == "svg"]
    assert len(drawings) == len(made().channels)
    for drawing, channel in zip(drawings, made().channels, strict=True):
        named = {element.attrib["id"] for element in drawing if element.tag in ("title", "desc")}
        assert set(drawing.attrib["aria-labelledby"].split()) == named
        assert len(named) == 2
        headings = [element.text for element in page.iter() if element.attrib.get("id") == f"curve-{channel.name}"]
        assert headings == [drawing.find("title").text]


def test_the_curve_is_drawn_where_the_counts_are():
    """From the lower left corner to the upper right one, through each point, with τ marked on it."""
    channel = with_canary().channels[2]
    drawing = draw_roc(channel, chosen="0.50")
    places = [tuple(map(float, pair.split(","))) for pair in drawing.points.split()]
    assert (places[0], places[-1]) == ((LEFT, TOP + SIDE), (LEFT + SIDE, TOP))
    assert places == sorted(places, key=lambda place: (place[0], -place[1]))
    point = next(item for item in channel.points if item.threshold == "0.50")
    assert drawing.chosen.x == pytest.approx(LEFT + SIDE * point.false.instances / channel.negatives.instances, abs=0.1)
    assert drawing.chosen.y == pytest.approx(TOP + SIDE * (1 - point.found / channel.positives), abs=0.1)


def test_a_channel_of_nothing_is_not_drawn():
    """Without positives or negatives there is no curve, and the page says so."""
    document = with_canary()
    none = document.channels[2].model_copy(update={"positives": 0})
    assert draw_roc(none, chosen=None) is None
    changed = document.model_copy(update={"channels": (*document.channels[:2], none)})
    assert "Nothing to draw: 0 positives" in " ".join("".join(page_of(changed).itertext()).split())


def test_the_table_of_a_curve_leaves_out_repeats_but_never_the_chosen_row():
    """Rows whose counts stand above already are left out."""
    rows = curve_table(calibrated().channels[0], chosen="0.50").rows
    assert [row[0] for row in rows if "chosen" in row[0]] == ["0.50 (chosen)"]
    assert len({row[1:] for row in rows}) >= len(rows) - 1


def test_many_ids_are_shortened_and_counted():
    """A suite that is wholly known does not fill the terminal."""
    document = calibrated()
    left = document.left_out.model_copy(update={"present": tuple(f"id-{number}" for number in range(100))})
    text = " ".join(render_tau_text(document.model_copy(update={"left_out": left})).split())
    assert "100 standing in the sample" in text
    assert "and 60 more in the file" in text
