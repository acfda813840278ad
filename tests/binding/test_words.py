"""For a document with names in another script, fixes and completion write that script, too."""

from __future__ import annotations

import pytest
from features.documents import analysed, completed

from handoff_lsp.text import apply_edits
from handoff_lsp.writing.placement import insertion
from handoff_lsp.writing.words import in_its_words

HEAD = "# Delivery Result: 掲示板\n\n> 作成日: 2026-03-01\n> Delivery プラン: Light\n> PRODUCT_TYPE: service\n\n"
JAPANESE = f"{HEAD}## 成果物\n\n- SPEC.md: あり\n"
ENGLISH = (
    "# Delivery Result: 掲示板\n\n> Created: 2026-03-01\n> Delivery Plan: Light\n> PRODUCT_TYPE: service\n\n"
    "## Artifacts\n\n- SPEC.md: あり\n"
)
PATH = "docs/DELIVERY_RESULT.md"


@pytest.mark.parametrize(
    ("text", "tech", "total"), [(JAPANESE, "技術スタック", "合計"), (ENGLISH, "Tech Stack", "Total")]
)
def test_titles(text: str, tech: str, total: str) -> None:
    handoff = analysed(text, PATH).handoffs[0]
    assert in_its_words(handoff, handoff.spec.fields["tech_stack"]).title == tech
    assert in_its_words(handoff, handoff.spec.fields["test_results"]).fields["total"].title == total
    # Names that programs look for are not translated.
    assert in_its_words(handoff, handoff.spec.fields["product_type"]).title == "PRODUCT_TYPE"
    assert in_its_words(handoff, handoff.spec.fields["security"]).fields["critical"].title == "CRITICAL"


def test_as_many_of_ours_are_no_reason_to_translate() -> None:
    half = ENGLISH.replace("Created", "作成日").replace("## Artifacts", "## 成果物") + "\n## Tech Stack\n\nGo\n"
    handoff = analysed(half, PATH).handoffs[0]
    assert in_its_words(handoff, handoff.spec.fields["test_results"]).title == "Test Results"


def test_what_a_fix_inserts() -> None:
    handoff = analysed(JAPANESE, PATH).handoffs[0]
    done = apply_edits(
        JAPANESE, insertion(handoff, [handoff.root.children[name] for name in ("tech_stack", "security")])
    )
    assert "\n## 技術スタック\n" in done
    assert "\n## セキュリティ監査結果\n" in done
    assert len(analysed(done, PATH).handoffs) == 1
    labels = JAPANESE + "\n## テスト結果\n\n- 合計: 3\n"
    handoff = analysed(labels, PATH).handoffs[0]
    done = apply_edits(labels, insertion(handoff, [handoff.root.find("test_results.fail")[0]]))
    assert "- 合計: 3\n- 失敗: " in done


def test_the_colon_of_the_document() -> None:
    marked = JAPANESE + "\n## テスト結果\n\n- 合計： 3\n- ‸\n"
    assert "- 合計： 3\n- 成功： <N>\n" in completed(marked, "成功", PATH)


@pytest.mark.parametrize("eol", ["\n", "\r\n"], ids=["lf", "crlf"])
def test_a_pair_behind_another(eol: str) -> None:
    marked = (JAPANESE + "\n## テスト結果\n\n- 合計: 12 /‸\n").replace("\n", eol)
    assert f"- 合計: 12 / 成功: <N>{eol}" in completed(marked, "成功", PATH)
