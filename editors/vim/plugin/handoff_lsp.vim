" For vim-lsp; ALE finds its linters by itself. Without either of them nothing happens here.

if exists('g:loaded_handoff_lsp')
    finish
endif
let g:loaded_handoff_lsp = 1

function! s:Register() abort
    call lsp#register_server({
    \   'name': 'handoff-lsp',
    \   'cmd': {-> handoff_lsp#IsHandoff(bufnr('%')) ? g:handoff_lsp_command : []},
    \   'root_uri': {-> lsp#utils#path_to_uri(handoff_lsp#Root(bufnr('%')))},
    \   'allowlist': ['markdown', 'json', 'log'],
    \   'initialization_options': get(g:, 'handoff_lsp_settings', {}),
    \})
endfunction

augroup handoff_lsp
    autocmd!
    autocmd User lsp_setup call s:Register()
augroup END
