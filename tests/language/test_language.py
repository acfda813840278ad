"""Languages: how one is chosen, and that each catalog is complete."""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from case_files import read_cases

from handoff_lsp.cli.language import locale_of
from handoff_lsp.contracts.load import read_contract
from handoff_lsp.contracts.registry import builtin
from handoff_lsp.decide.routing import routing_of
from handoff_lsp.decide.words import mode_words, status_words
from handoff_lsp.engine import Analysis, Options
from handoff_lsp.engine import analyze as analyze_source
from handoff_lsp.features.actions.offered import each, offered
from handoff_lsp.features.decision.hints import age, hints
from handoff_lsp.features.decision.lens import lenses
from handoff_lsp.features.pages.decision_page import decision_page
from handoff_lsp.language import in_language, known_language, language, languages, later, say, say_count, translated
from handoff_lsp.text import Source, Span

ROOT = Path(__file__).parents[2]
sys.path.append(str(ROOT / "scripts"))

import catalogs  # noqa: E402

PATH = "handoffs/board/backend-dev-handoff.md"
HANDOFF = """\
# Board title — Handoff from Backend Developer

## Status

compleet

## Abstract

```yaml
outcome: Titles can be set
verdict: n/a
files: 2 created, 1 modified, 0 deleted
next_phase: dod-checker
open_questions: 1
```
"""


def analyze(text: str, path: str) -> Analysis:
    """The analysis of a text by the built-in contracts."""
    return analyze_source(Source(text), path, builtin(), Options())


@pytest.mark.parametrize(
    ("tag", "code"),
    [
        ("ja", "ja"),
        ("ja-JP", "ja"),
        ("ja_JP.UTF-8", "ja"),
        ("JA", "ja"),
        ("en-US", "en"),
        ("xx", None),
        ("C.UTF-8", None),
        ("jav", None),
        ("", None),
        ("../ja", None),
    ],
)
def test_the_language_of_a_tag(tag: str, code: str | None) -> None:
    assert known_language(tag) == code


def test_english_where_no_catalog_fits() -> None:
    with in_language("de-DE"):
        assert language() == "en"
        assert say("`{field}` is empty", field="x") == "`x` is empty"


def test_the_language_of_an_environment() -> None:
    assert locale_of({"LANG": "ja_JP.UTF-8", "LC_ALL": "", "LC_MESSAGES": "en_US"}) == "en_US"
    assert locale_of({"LANG": "ja_JP.UTF-8", "LC_ALL": "C"}) == "C"
    assert locale_of({"HOME": "/"}) == ""


def test_a_finding_speaks_the_chosen_language() -> None:
    english = analyze(HANDOFF, PATH).findings
    with in_language("ja"):
        japanese = analyze(HANDOFF, PATH).findings
    again = analyze(HANDOFF, PATH).findings
    assert [one.code for one in japanese] == [one.code for one in english]
    assert [one.message for one in again] == [one.message for one in english]
    told = {one.code: one.message for one in japanese}
    assert told["invalid-value"].startswith("`Status` は「compleet」ですが、")
    assert all(_is_japanese(one.message) for one in japanese)


def test_numbers() -> None:
    one, many = "`{field}` has {number} item, but must have at least {least}", ""
    many = "`{field}` has {number} items, but must have at least {least}"
    assert say_count(one, many, 1, field="x", least=2) == "`x` has 1 item, but must have at least 2"
    assert say_count(one, many, 0, field="x", least=2) == "`x` has 0 items, but must have at least 2"
    with in_language("ja"):
        assert say_count(one, many, 1, field="x", least=2) == "`x` の項目は 1 個ですが、2 個以上必要です"


def test_a_text_of_a_table_is_looked_up_when_it_is_used() -> None:
    assert translated(later("a list")) == "a list"
    with in_language("ja"):
        assert translated(later("a list")) == "リスト"
        assert translated("") == ""  # gettext keeps the header of a catalog there


@pytest.mark.parametrize("code", languages()[1:])
def test_each_text_is_translated(code: str) -> None:
    """Each text of the code is in the catalog, with the same parts; none is unfinished."""
    catalog = catalogs.updated(catalogs.FOLDER / f"{code}.po", catalogs.collected())
    assert len(list(catalog)) > 300
    assert list(catalogs.gaps(catalog)) == []


@pytest.mark.parametrize("code", languages()[1:])
def test_a_catalog_has_no_other_texts_and_is_compiled(code: str) -> None:
    texts, compiled = catalogs.catalogs()
    for name, made in texts.items():
        assert (ROOT / name).read_text(encoding="utf-8") == made, "run `make generate`"
    for name, content in compiled.items():
        assert (ROOT / name).read_bytes() == content, "run `make generate`"
    assert f"handoff_lsp/language/{code}.mo" in compiled


def test_gaps_are_found() -> None:
    catalog = catalogs.Catalog(locale="ja")
    catalog.add("`{field}` is empty", "`{filed}` が空です")
    catalog.add("Close the fence", "")
    catalog.add("Close the comment", "コメント", flags=["fuzzy"])
    catalog.add(("{number} file", "{number} files"), ("",))
    catalog.add("fence", "フェンス")
    found = [gap.split(":")[0] for gap in catalogs.gaps(catalog)]
    assert found == ["has other parts than the English text", "missing", "fuzzy", "missing"]


def _calls(tree: ast.AST) -> Iterator[tuple[str, ast.Call]]:
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Name)
            and node.func.id in {"say", "say_count", "later"}
        ):
            yield node.func.id, node


def _is_wrong(name: str, call: ast.Call) -> bool:
    texts = call.args[: 2 if name == "say_count" else 1]
    literals = [one.value for one in texts if isinstance(one, ast.Constant) and isinstance(one.value, str)]
    if len(literals) != len(texts):
        return True
    passed = {keyword.arg for keyword in call.keywords} | ({"number"} if name == "say_count" else set())
    return name != "later" and any(_parts(one) - passed for one in literals)


def test_templates_are_literals_with_their_parts() -> None:
    """Only literals can be collected, and each part that a template names is passed."""
    wrong = [
        f"{path.relative_to(ROOT)}:{call.lineno}"
        for path in sorted((ROOT / "handoff_lsp").rglob("*.py"))
        if "from handoff_lsp.language import" in (text := path.read_text(encoding="utf-8"))
        for name, call in _calls(ast.parse(text))
        if _is_wrong(name, call)
    ]
    assert wrong == []


def _parts(template: str) -> set[str]:
    return {name for name, _, _ in catalogs.parts(template)}


def test_english_reads_no_catalog() -> None:
    code = (
        "import sys, handoff_lsp\n"
        f"handoff_lsp.check_text({HANDOFF!r}, {PATH!r})\n"
        "print(sorted({'importlib.resources', 'gettext', 'babel'} & set(sys.modules)))\n"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    assert "babel" not in ran.stdout and "gettext" not in ran.stdout


def _is_japanese(text: str) -> bool:
    return any("\u3040" <= char <= "\u30ff" for char in text)


@pytest.mark.parametrize("code", languages()[1:])
def test_translated_texts_of_contracts_are_sound(code: str) -> None:
    """With them a contract is still one that loads."""
    with in_language(code):
        for entry in builtin():
            loaded, problems = read_contract(json.dumps(entry.data, ensure_ascii=False))
            assert loaded is not None
            assert [problem.message for problem in problems] == []


@pytest.mark.parametrize("code", languages()[1:])
def test_each_text_of_a_contract_is_translated(code: str) -> None:
    catalog = catalogs.updated(catalogs.FOLDER / "contracts" / f"{code}.po", catalogs.of_contracts())
    assert len(list(catalog)) > 1_500
    assert list(catalogs.gaps(catalog, catalogs.expressions)) == []


# Words between the quoted names of an English sentence.
_ENGLISH = re.compile(r"[A-Za-z]{2,} (?:is|are|the|of|to|in|and|or|not|by|for|has|have|with|that) [A-Za-z]{2,}")
_FOUND = re.compile(r"`[^`]*`|「[^」]*」|\"[^\"]*\"|は [^で]* ですが|読む部分: .*")


def test_nothing_in_the_findings_of_the_cases_is_english() -> None:
    """Not a message, a note, a help, a related place, a fix or the reason of a decision."""
    texts = set()
    with in_language("ja"):
        for case in read_cases():
            analysis = case.analyze()
            for finding in analysis.findings:
                texts |= {finding.message, finding.note, finding.help}
                texts |= {related.message for related in finding.related} | {fix.title for fix in finding.fixes}
            texts |= {route.reason for handoff in analysis.handoffs if (route := routing_of(handoff)) is not None}
    assert len(texts) > 1_000
    assert [text for text in sorted(texts) if _ENGLISH.search(_FOUND.sub("", text))] == []


# An author's own words.
_WRITTEN = re.compile(r"^- ステータス: .*$|(?<=次は )stop, surface to human", re.MULTILINE)


def test_nothing_that_an_editor_shows_about_the_cases_is_english() -> None:
    """Not a lens, a hint or its page, a page about a decision, or the title of an action."""
    texts = set()
    with in_language("ja"):
        for analysis in (case.analyze() for case in read_cases()[::25]):
            texts |= {lens.title for lens in lenses(analysis, analysis.findings)}
            for hint in hints(analysis, Span(0, len(analysis.source)), datetime.now(UTC)):
                texts |= {hint.label, hint.tooltip()}
            texts |= {decision_page(handoff) for handoff in analysis.handoffs}
            for finding in analysis.findings[:2]:
                for action in offered(analysis, finding.span, "quickfix", lambda _: True):
                    texts |= {action.title, *(one.title for one in each([action]))}
    assert len(texts) > 100
    assert [text for text in sorted(texts) if _ENGLISH.search(_FOUND.sub("", _WRITTEN.sub("", text)))] == []


def test_the_words_for_a_handoff_without_a_decision() -> None:
    [handoff] = analyze("<!-- handoff: status-block mode=example -->\n\n" + HANDOFF, PATH).handoffs
    assert (mode_words(handoff), status_words(handoff)) == (
        "no decision: an example of status-block",
        "no valid Status",
    )
    with in_language("ja"):
        assert mode_words(handoff) == "決定なし: status-block の例"
        assert status_words(handoff) == "有効な Status がありません"


def test_ages() -> None:
    assert age(timedelta(days=1)) == "1 day ago"
    assert age(timedelta(minutes=-3)) == "in 3 min"
    assert age(timedelta(hours=5)) == "5 h ago"
    with in_language("ja"):
        assert age(timedelta(days=70)) == "2 か月前"
        assert age(timedelta(minutes=-3)) == "3 分後"
        assert age(timedelta()) == "たった今"


def test_the_contracts_of_a_language_are_those_of_no_other() -> None:
    english = builtin()["status-block"].contract
    with in_language("ja"):
        japanese = builtin()["status-block"].contract
    assert builtin()["status-block"].contract is english
    assert _is_japanese(japanese.unread)
    assert not _is_japanese(english.unread)
    assert japanese.fields.keys() == english.fields.keys()
