"""Queries on the page, as JavaScript that runs in it."""

# The text of each squiggle: the characters of its line that have their middle in its box.
SQUIGGLES = """() => [...document.querySelectorAll('.editor-instance .cdr')].flatMap(mark => {
  const kind = [...mark.classList].find(name => name.startsWith('squiggly-'));
  if (!kind) return [];
  const box = mark.getBoundingClientRect(), middle = (box.top + box.bottom) / 2;
  const line = [...mark.closest('.monaco-editor').querySelectorAll('.view-line')].find(line => {
    const at = line.getBoundingClientRect(); return at.top <= middle && middle <= at.bottom; });
  let text = '';
  const walk = line && document.createTreeWalker(line, NodeFilter.SHOW_TEXT);
  for (let node; line && (node = walk.nextNode());) for (let i = 0; i < node.length; i++) {
    const one = document.createRange(); one.setStart(node, i); one.setEnd(node, i + 1);
    const at = one.getBoundingClientRect(), x = (at.left + at.right) / 2;
    if (box.left <= x && x <= box.right) text += node.data[i]; }
  return [[box.top, box.left, kind.slice('squiggly-'.length), text.replaceAll('\\u00a0', ' ')]];
}).sort((a, b) => a[0] - b[0] || a[1] - b[1]).map(mark => [mark[2], mark[3]])"""

# The lines from the top, without the inlay hints in them: those have styles that VS Code makes as it runs.
LINES = """lines => lines.map(line => { const bare = line.cloneNode(true);
    bare.querySelectorAll('[class*="dyn-rule-"]').forEach(hint => hint.remove());
    return [parseInt(line.style.top), bare.textContent.replaceAll('\\u00a0', ' ')]; })
  .sort((a, b) => a[0] - b[0]).map(line => line[1].replaceAll('\\u200b', ''))"""

# The rows below each file's own row, from the top; those of related places in other lines are left out.
PROBLEMS = """rows => { let file = ''; return rows
  .sort((a, b) => a.getBoundingClientRect().top - b.getBoundingClientRect().top).flatMap(row => {
    const part = name => row.querySelector('.marker-' + name)?.innerText.trim();
    if (row.querySelector('.related-info-resource')) return [];
    if (part('message') === undefined) { file = row.querySelector('.label-name')?.innerText ?? ''; return []; }
    return [{ file, message: part('message'), source: part('source') ?? '',
      severity: (row.getAttribute('aria-label') ?? '').split(':')[0].toLowerCase(),
      code: part('code')?.replace(/[()]/g, '').trim() ?? '', at: part('line')?.replace(/[[\\]]/g, '').trim() ?? '' }];
  }); }"""
