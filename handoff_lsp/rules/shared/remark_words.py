"""Shared by the rules about remarks: the words beside a value that deny it, take it back, or name a part that lacks.

A statement counts as a clause of its own: "mails when the build is broken" is about the feature. It does not count
where its sentence says that the problem is solved, known, or not the work's own.
"""

from __future__ import annotations

import re

from handoff_lsp.text.lazy import lazy_pattern

# The beginning of a clause, and of one that neither denies the rest nor makes it a condition.
_START = r"(?:^|[,;:.(（–—]\s*| - |\b(?:but|and|however|while|though|although|pero|aunque),? )"
_CLAUSE = (
    rf"{_START}(?!(?:no|not|none|nothing|never|zero|0|any|if|when|where|once|unless|until|before|after|whether|how|why"
    r"|sin|si|cuando|ning[uú]n\w*)\b)"
)
# The end of a statement, unless the next word denies it or reports the problem as solved.
_END = (
    r"(?=\W*$|\s*[,;.:)])"
    r"(?!\W+(?:none|no|nothing|0|n/a|ning[uú]n[oa]?|nada|fixed|resolved|closed|unrelated|flaky|known|pre-?existing)\b)"
)
_COUNT = r"(?:[1-9]\d{0,5}(?: ?(?:of|/) ?\d{1,6})?|one|two|three|four|five|some|several|many|most)"
# The name of a scenario, a task or a requirement: S3, BE-014, REQ-2.1.
_ID = r"(?:(?:scenarios?|requirements?|tasks?|rows?|tests?|steps?) )?(?-i:[A-Z]{1,6}-?\d{1,5}(?:[.-]\d{1,4}){0,2})"
_IDS = rf"{_ID}(?:(?:,| and| or|, and) {_ID}){{0,5}}"
# The end of a remark that holds for a part only.
FOR_A_PART = lazy_pattern(rf"(?: (?:for|on)|[:：]) {_IDS}$", re.IGNORECASE)
# Anything that runs or is counted, and passes or fails.
_RUN = (
    r"(?:build|suite|lint(?:ing|er)?|ci|pipeline|workflow|jobs?|deploy(?:ment|s)?|migrations?|install(?:ation)?"
    r"|compilation|type-?check(?:s|ing)?|verification|tests?|specs?|scenarios?|requirements?|checks?|gates?|cases?"
    r"|tasks?|pytest|vitest|jest|tsc|eslint)"
)
# Not a new test, which must fail on the old state.
_OWN = rf"(?:the )?(?:{_COUNT} )?(?:(?!(?:new|added|regression|old|negative)\b)\w+ )?"
_RUNS = rf"{_OWN}(?:{_RUN}|{_IDS}|scenario \d{{1,3}})"
# The place of a failure: a name (`Windows`, `Node 18`, `src/api`), or one of the usual ones. RED is a phase of TDD.
_WHERE = (
    r"(?!(?-i:RED)\b)(?:(?:the|this|that|my|our|a|one|two|some|all|both|el|la) )?"
    r"(?:(?-i:[A-Z][\w./-]*|[\w-]*[\d/][\w./-]*)"
    r"|(?:(?!(?:unrelated|legacy|vendored|unsupported|generated)\b)\w+ )?"
    r"(?:ci|main|master|develop|staging|prod(?:uction|ucci[oó]n)?|windows|linux|mac(?:os)?|ubuntu|docker"
    r"|mobile|safari|firefox|chrome|android|ios|branch|machine|runners?|platforms?|browsers?|environments?|containers?"
    r"|packages?|modules?)(?:-[\w.]+)?)(?: \d[\w.]*)?"
)
_AT = rf" (?:(?:on|in|under|with|at|en) {_WHERE}(?: (?:and|or|y) {_WHERE})?|locally|again)"
_PLACE = rf"(?:{_AT})?"
_FAILING = (
    r"(?:(?:is|are|was|were|all|both|still|now|currently) )*(?:broken|fail(?:s|ed|ing)?|red|crash(?:es|ed)|timed out)"
)
_NOT_PASSING = r"do(?:es)?(?: not|n[’']t) (?:pass|compile|build|run|work)"
_NOT_RUN = (
    r"(?:(?:is|are|was|were) )?(?:could )?not (?:be )?(?:run|pass(?:ing)?|executed|verified)"
    r"(?: (?:on|in) (?:ci|staging|production))?"
)
_FAILS = lazy_pattern(
    rf"{_CLAUSE}(?:{_RUNS}{_PLACE} (?:{_FAILING}|{_NOT_PASSING}){_PLACE}|{_OWN}{_RUN} {_NOT_RUN}"
    rf"|(?:still )?(?:{_NOT_PASSING}{_PLACE}|fails(?:{_AT}| {_IDS}))"
    rf"|(?:with )?{_COUNT} (?:\w+ )?(?:failing|failed|broken) (?:\w+ )?{_RUN}{_PLACE}"
    rf"|(?:with )?{_COUNT} (?:{_RUN} )?(?:fail(?:s|ing|ed|ures?)?|errors?){_PLACE}"
    rf"|(?:fail(?:ed|ing|ures?)|errors|critical(?:s| issues| findings)?|blockers)(?: {_RUN})? ?[:：=] ?[1-9]\d*"
    r"|(?:all )?(?:the )?(?:tests?|suite) (?:were|was|are) (?:all )?skipped"
    r"|(?:(?:I|we) )?(?:could ?n[o’']t|cannot|can[’']t|unable to) (?:run|execute|verify|build|compile|finish|complete)"
    rf" (?:(?:the|all|any) )?(?:\w+ )?(?:{_RUN}|it|everything){_PLACE}){_END}"
    rf"|{_START}nothing (?:(?:was|is|has been|got) )?"
    rf"(?:implemented|built|tested|verified|done|delivered|finished){_END}",
    re.IGNORECASE,
)
_RUN_IN_SPANISH = r"(?:build|compilaci[oó]n|tests?|pruebas?|suite|escenarios?|tareas?|migraci[oó]n|despliegue)"
_FALLING = r"(?:fall(?:an?|ó|aron)|est[aá]n? rot[oa]s?)"
_IN_OTHER_LANGUAGES = lazy_pattern(
    rf"{_CLAUSE}(?:(?:el |la |los |las )?(?:[1-9]\d* )?{_RUN_IN_SPANISH} {_FALLING}{_PLACE}"
    rf"|{_FALLING} (?:el |la |los |las )?(?:(?:[1-9]\d*|algun[oa]s|vari[oa]s) )?{_RUN_IN_SPANISH}{_PLACE}"
    rf"|{_RUN_IN_SPANISH} (?:rot[oa]s?|pendientes?)){_END}"
    rf"|{_START}(?:(?:quedan? (?:[1-9]\d* )?{_RUN_IN_SPANISH}(?: pendientes?)?"
    rf"|(?:el |la |los |las )?(?:{_RUN_IN_SPANISH} )?no (?:compila|pasan?)"
    r"|no se (?:pudo|pudieron) (?:ejecutar|correr|verificar|compilar)"
    rf"(?: (?:el |la |los |las )?{_RUN_IN_SPANISH})?){_END}|faltan? (?:\w+ )?(?:tareas?|pruebas?|tests?)\b)"
    rf"|^(?:con (?:(?:[1-9]\d*|algun[oa]s|vari[oa]s) )?(?:errores|fall[oa]s)|com (?:erros|falhas)|mit fehlern){_END}"
    r"|^(?:condicionad[oa] a|a condici[oó]n de)\b"
    r"|^(?:sujet[oa] a|pendiente de) (?:la |una |su |tu )?"
    r"(?:revisi[oó]n|aprobaci[oó]n|confirmaci[oó]n|decisi[oó]n|respuesta|correcci[oó]n|correcciones)\b",
    re.IGNORECASE,
)
# Japanese has no blanks: a clause ends with a sign.
_IN_JAPANESE = lazy_pattern(
    r"(?:(?<![\d０-９])[1-9１-９][\d０-９]*件[がはの]?(?:テスト[がは]?)?(?:失敗|エラー|未完了)"
    r"|(?:^|[\s(（、。,])(?:失敗|エラー|未完了(?:タスク)?|残件|残タスク|条件)[がは]?"
    r"(?:あり(?:ます)?|[:： ]?[1-9１-９][\d０-９]*件?)"
    r"|一部[がはの]?(?:\w{1,6}[がは])?(?:失敗|未完了|未実装|未実施)"
    r"|(?:ビルド|テスト|デプロイ|マイグレーション|コンパイル)[がはに]?"
    r"(?:失敗|通(?:らない|りません|って(?:いない|いません))|壊れて)"
    r"|(?:ビルド|テスト|検証)[がは]?未(?:実施|実行|完了|検証)"
    r"|[A-Z]{1,6}-?\d{1,5}[がはの]?(?:失敗|要修正|修正が?必要)"
    r"|(?:^|[\s(（、。,])(?:要修正|修正が?必要|条件付き?(?:承認|合格)?)"
    r"|^(?:未完了|未完|未達|未テスト|失敗|不合格|却下))"
    r"(?:です|でした|した|しました|している|しています|います|いる|のまま)*(?=[\s)）。、,.]*$|[、。])"
)
_CRITICAL = lazy_pattern(
    rf"\b(?:[1-9]\d*|one|two|three) (?:\w+ )?(?:criticals?|critical (?:issue|finding|problem|bug)s?|blockers?"
    r"|blocking issues?|must-fix(?: (?:issue|finding|item)s?)?)"
    rf"(?: (?:is |are )?(?:still )?(?:open|remaining|remains?|left|unresolved|outstanding|pending))?{_PLACE}{_END}",
    re.IGNORECASE,
)
_AWAITED = (
    r"(?:(?!no\b)\w+ ){0,2}(?:review|approval|sign-?off|confirmation|decision|input(?! validation)|answer"
    r"|help|fix(?:es|ing)?|user|human)\b"
)
# The beginning of a remark about work that waits, or is broken.
_WAITS = lazy_pattern(
    rf"blocked (?:by|on|until)\b|(?:needs?|requires?|waiting for|subject to|pending|awaiting) {_AWAITED}|todo\s*:"
    rf"|do not (?:archive|merge|proceed|continue|release)(?: yet)?{_END}"
    rf"|(?:with (?:\w+ )?(?:errors|failures|failing tests)|blocked|pending|broken|incomplete|unfinished|untested"
    rf"|unverified|critical){_END}|(?:waiting for|subject to|pending|awaiting) {_IDS}{_END}",
    re.IGNORECASE,
)
_OWED = rf"(?:{_IDS}|(?:\w+ )?(?:fix(?:es)?|findings?|comments?|issues?|review|pr|ci|blockers?|criticals?))"
_MENDED = r"(?:fixed|corrected|resolved|addressed|reworked|merged|done|approved|answered)"
# A condition, or work that must come first.
_DEPENDS = lazy_pattern(
    r"^on (?:the )?condition\b|^provided that\b"
    rf"|^with (?!no )(?:\w+ )?conditions{_END}"
    rf"|{_START}(?:(?:but )?conditional(?:ly)?(?: (?:on|upon)\b|{_END})"
    rf"|(?:(?:if|once|when|as soon as) (?:the )?(?:fix of )?{_OWED} (?:is|are|gets?) {_MENDED}"
    r"|(?:please )?(?:fix|address|resolve|correct|finish) [^,;.]{1,40} "
    r"(?:first|before (?:the )?(?:merg|releas|archiv|proceed|continu|deploy|hand)\w*)(?!, then)"
    rf"|must[- ]fix {_IDS}|{_IDS} (?:(?:is|are) )?(?:still open|not fixed|unfixed|unresolved)){_END})"
    rf"|{_CLAUSE}(?:(?:the )?{_OWED} (?:must|has to|have to|needs? to) be {_MENDED}(?: first| before [^,;.:]{{1,30}})?"
    r"|(?:with )?(?:(?!(?:no|not|zero|0|without|any)\b)[\w-]+ ){0,2}(?:fix(?:es)?|corrections?|rework) "
    rf"(?:is |are )?(?:still )?(?:requested|required|needed)(?: first| before [^,;.:]{{1,30}})?){_END}",
    re.IGNORECASE,
)
_ADVICE = lazy_pattern(
    r"\b(?:suggest\w*|recommend\w*|nits?|optional|non-?blocking|follow-?ups?|planned)\b", re.IGNORECASE
)
# One word that contradicts the value.
_AGAINST = lazy_pattern(
    r"(?:false|no|não|nein|いいえ|denied|revoked|partial|parcial(?:mente)?|incomplet[oa]|incomplete|teilweise)",
    re.IGNORECASE,
)

# The beginning of a remark that retracts a value.
CONTRAST = lazy_pattern(
    r"(?:but|except|apart from|however|though|although|mostly|partly|partially|almost|nearly|not|only"
    r"|without(?! (?:any )?(?:failures?|errors?|issues?|problems?|warnings?))"
    r"|pero|aunque|salvo|excepto|casi|porém|exceto|aber|jedoch)\b|ただし|但し|しかし",
    re.IGNORECASE,
)
_LACKS = lazy_pattern(
    r"\b(?:[1-9]\d*|one|two|three|some|several|many) (?:\w+ ){0,2}"
    r"(?:fail\w*|errors?|missing|unfinished|unverified|broken)\b"
    # Not `two errors fixed`, nor `one missing test added`.
    r"(?!(?: (?!(?:not?|never|none|be|to|only|some|one|two)\b|\d)\w+){0,2}"
    r"\W+(?:added|fixed|resolved|closed|corrected|repaired|addressed)\b)"
    # Not `no further changes needed`, nor `all changes requested were made`.
    r"|(?:^|[,;:.(–—] *| - |\b(?:but|and|with|however|though) )(?:(?!(?:no|not|zero|0|without|any)\b)[\w-]+ ){0,4}"
    r"changes? (?:are |were )?(?:still )?(?:requested|required|needed)\b"
    r"(?!\W+(?:none|no|nothing|0|n/a)\b)"
    r"(?! (?:[^,;.:()]*\b(?:were|are|been|now|and) (?:all )?)?(?:made|done|fixed|resolved|applied|addressed)\b)"
    r"|(?<!no )\bfaltan? (?:[1-9]\d*|tareas|pruebas|tests)\b",
    re.IGNORECASE,
)
# Not `12/14 findings were nits`, which names their kind.
_OF_HOW_MANY = lazy_pattern(
    r"\b(\d{1,6}) ?(?:/|of) ?(\d{1,6})\b"
    r"(?! (?:findings?|issues?|comments?) (?:are|were) (?:nits?|minor|cosmetic|optional|style)\b)",
    re.IGNORECASE,
)
# A count that is a whole remark beside a verdict. A longer remark may explain it, and has other numbers.
_OF_ALL = lazy_pattern(
    rf"(?:only )?(\d{{1,6}}) ?(?:/|of) ?(\d{{1,6}}) (?:\w+ )?{_RUN}"
    rf"(?: (?:are )?(?:pass(?:ed|es|ing)?|completed?|compliant|covered|green|met|verified|implemented|ok))?",
    re.IGNORECASE,
)
_BUT_FOR = lazy_pattern(
    rf"{_START}(?:but not|except(?: for)?|apart from|not|without|excepto|salvo|minus|menos) "
    rf"(?:{_IDS}|{_COUNT} (?:\w+ )?{_RUN}){_END}"
    rf"|{_CLAUSE}(?:(?:{_IDS}|{_COUNT} (?:\w+ )?{_RUN}) (?:(?:is|are) )?not (?:met|covered|implemented|tested)"
    rf"|{_IDS} (?:(?:is|are|was|were) )?not (?:run|executed|verified)){_END}",
    re.IGNORECASE,
)
# A value that allows for open points.
_WITH_WARNINGS = lazy_pattern(r"warn|advert|observ|concern|condition", re.IGNORECASE)

# Words in the sentence of a problem that report it as solved, before and behind it.
_SOLVING = lazy_pattern(
    r"\b(?:fix(?:e[sd]|ing)?|clos(?:es|ed|ing)|resolv(?:es|ed|ing)|address(?:es|ed|ing)|was|were|had) $", re.IGNORECASE
)
_SOLVED = lazy_pattern(
    r"(?<!\bnot )(?<!\bbe )(?<!\d )(?<!\b(?:one|two) )(?<!\b(?:some|only) )\b"
    r"(?:fixed|resolved|closed|corrected|repaired|addressed|handled|solved|gone|corregid[oa]s?|resuelt[oa]s?"
    r"|re-?(?:run|try|tried)|now (?:pass(?:es|ing)?|green|fine)|pass(?:es|ed)? (?:here|now|with)"
    r"|here (?:they |it )?pass(?:es)?|then (?:\d+ )?(?:pass(?:es|ed|ing)?|green)|(?:after|now): 0"
    r"|ci (?:ran|runs|covers) (?:it|them))\b"
    r"|再実行|修正済|解消|対応済|解決済|→",
    re.IGNORECASE,
)
# Words that say that a failure is not the work's own.
_KNOWN = lazy_pattern(
    r"\b(?:known|pre-?existing|preexistentes?|conocid[oa]s?|baseline|unrelated|not (?:related|caused)|flaky|legacy"
    r"|upstream|quarantined|expected|intended|by design|on purpose|out of scope|deferred|deliberate(?:ly)?|optional"
    r"|non-?blocking|docs?[ -]only|documentation|not applicable|no code|previous(?:ly)?|earlier"
    r"|initial(?:ly)?|iter(?:ation)? \d|round[ -]\d|red[ -]phase|too|as well|identical to|environment(?:al)?"
    r"|same (?:\w+ ){0,2}(?:as|on) (?:on |in )?(?:the )?(?:main|master|before|base\w*)|mism[oa]s que|igual que"
    r"|not introduced|vendored|third-party|unsupported|design only|there are none)\b"
    r"|既知|既存|無関係|同様|同じ|手動|環境なし",
    re.IGNORECASE,
)
# The work is about the problem behind the colon.
_TOPIC = lazy_pattern(
    r"\b(?:bug|issue|cause|causa|problem|problema|symptom|reproduc\w+|fix\w*|solv\w+|corrige\w*|adds?|red|mutation|risks?)"
    r"\b[^:：.;]*[:：]$",
    re.IGNORECASE,
)
_LEFT_OUT = lazy_pattern(
    r"\b(?:manual(?:ly)?|skipped|n/?a|slice|batch|phase|later|remaining|rest|follow-?ups?|next)\b", re.IGNORECASE
)
_SENTENCE_END = lazy_pattern(r"[.!?](?=\s)|。")


def denies(remark: str) -> bool:
    """Whether a remark reports failed or unfinished work, or a condition."""
    if _WAITS.match(remark) is not None or _AGAINST.fullmatch(remark) is not None:
        return True
    if _DEPENDS.search(remark) is not None and _ADVICE.search(remark) is None:
        return True
    if _holds(_CRITICAL, remark):
        return True
    return any(_holds(each, remark, unless=_KNOWN) for each in (_FAILS, _IN_OTHER_LANGUAGES, _IN_JAPANESE))


def lacks_part(value: object, remark: str) -> bool:
    """Whether a remark beside a verdict leaves out a part of the work, and the value allows for none."""
    if _WITH_WARNINGS.search(str(value)) is not None or _LEFT_OUT.search(remark) is not None:
        return False
    counts = _OF_ALL.fullmatch(remark)
    less = counts is not None and int(counts[1]) < int(counts[2])
    return less or _holds(_BUT_FOR, remark, unless=_KNOWN)


def takes_back(remark: str) -> bool:
    """Whether a remark qualifies its value."""
    counts = _OF_HOW_MANY.search(remark)
    less = counts is not None and int(counts[1]) < int(counts[2])
    return less or CONTRAST.match(remark) is not None or _holds(_LACKS, remark)


def _holds(pattern: re.Pattern[str], remark: str, unless: re.Pattern[str] | None = None) -> bool:
    """Whether a pattern matches, in a sentence without ``unless`` that does not report the problem as solved."""
    ends = [end.end() for end in _SENTENCE_END.finditer(remark)]
    for found in pattern.finditer(remark):
        start = max((end for end in ends if end <= found.start()), default=0)
        end = min((end for end in ends if end >= found.end()), default=len(remark))
        solved = (
            _SOLVING.search(remark, start, found.start())
            or _TOPIC.search(remark, start, found.start() + 1)
            or _SOLVED.search(remark, found.end(), end)
        )
        known = unless is not None and (
            unless.search(remark, start, found.start()) or unless.search(remark, found.end(), end)
        )
        if not solved and not known:
            return True
    return False
