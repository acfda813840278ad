" Starts the language server `handoff-lsp` in files that may be handoffs. What ALE and vim-lsp need of it.

let g:handoff_lsp_command = get(g:, 'handoff_lsp_command', ['handoff-lsp', 'server'])

" What the paths of files that may be handoffs match: any of these is enough. They only say where the server is asked,
" which says nothing of a file that is no handoff after all. `['.']` asks it of every file.
let g:handoff_lsp_files = get(g:, 'handoff_lsp_files', [
\   '\(/handoffs/.*\|/openspec/.*\|-handoff\|_RESULT\)\.\(md\|markdown\)$',
\   '/\.agent/\(status\.json\|activity\.log\)$',
\])

function! handoff_lsp#IsHandoff(buffer) abort
    let l:path = substitute(fnamemodify(bufname(a:buffer), ':p'), '\\', '/', 'g')
    return !empty(filter(copy(g:handoff_lsp_files), {_, pattern -> l:path =~# pattern}))
    \   || match(getbufline(a:buffer, 1, '$'), '\C^<!-- *handoff: *\(none\>\)\@![a-z]') >= 0
endfunction

" The folder to start the server in.
function! handoff_lsp#Root(buffer) abort
    let l:folder = fnamemodify(bufname(a:buffer), ':p:h')
    for [l:kind, l:name] in [['file', '.handoff-lsp.toml'], ['dir', '.git'], ['file', '.git']]
        let l:found = call('find' . l:kind, [l:name, escape(l:folder, ' ,;') . ';'])
        if !empty(l:found)
            return fnamemodify(l:found, l:kind ==# 'dir' ? ':p:h:h' : ':p:h')
        endif
    endfor
    return l:folder
endfunction

function! handoff_lsp#DefineForAle(filetype) abort
    call ale#linter#Define(a:filetype, {
    \   'name': 'handoff_lsp',
    \   'aliases': ['handoff-lsp'],
    \   'lsp': 'stdio',
    \   'executable': {buffer -> handoff_lsp#IsHandoff(buffer) ? g:handoff_lsp_command[0] : ''},
    \   'command': {-> join(map(['%e'] + g:handoff_lsp_command[1:], {i, word -> i ? ale#Escape(word) : word}))},
    \   'project_root': function('handoff_lsp#Root'),
    \   'initialization_options': {-> get(g:, 'handoff_lsp_settings', {})},
    \})
endfunction
