" What a person does with handoffs in Vim with ALE. Reads HANDOFF_TEST (JSON: ale, plugin, handoff, ordinary, status,
" log, places, started, out) and writes what was seen as JSON to the file `out` of it.

set nocompatible nomore noswapfile encoding=utf-8 shortmess+=A
let s:asked = json_decode($HANDOFF_TEST)
let &runtimepath = join([s:asked.plugin, s:asked.ale, &runtimepath], ',')
filetype plugin on
syntax on

let g:ale_lint_delay = 20
let g:ale_disable_lsp = 0
let g:ale_linters = {'markdown': ['handoff-lsp'], 'json': ['handoff-lsp'], 'log': ['handoff-lsp']}
let g:ale_hover_to_preview = 1

let s:seen = {}

function! s:WaitFor(condition) abort
    let l:start = reltime()
    while !eval(a:condition)
        if reltimefloat(reltime(l:start)) > 30
            throw 'waited in vain for ' .. a:condition
        endif
        sleep 20m
    endwhile
endfunction

function! s:Problems() abort
    return map(deepcopy(ale#engine#GetLoclist(bufnr('%'))), {_, each ->
    \   {'text': each.text, 'line': each.lnum, 'column': each.col, 'end': get(each, 'end_col', 0),
    \    'code': get(each, 'code', '')}})
endfunction

function! s:Has(words) abort
    return !empty(filter(s:Problems(), {_, each -> stridx(each.text, a:words) >= 0}))
endfunction

function! s:Preview() abort
    let l:windows = filter(getwininfo(), {_, each -> getwinvar(each.winnr, '&previewwindow')})
    return empty(l:windows) ? '' : join(getbufline(l:windows[0].bufnr, 1, '$'), "\n")
endfunction

" A buffer that only a comment makes a handoff.
function! s:Commented(name) abort
    let l:buffer = bufadd('/work/' .. a:name .. '.md')
    call bufload(l:buffer)
    call setbufline(l:buffer, 1, ['# Notes', '', '<!-- handoff: ' .. a:name .. ' -->'])
    return l:buffer
endfunction

function! s:All() abort
    execute 'edit' fnameescape(s:asked.ordinary)
    ALELint
    let s:seen.filetype = &filetype
    let s:seen.started_by_note = filereadable(s:asked.started)

    execute 'edit' fnameescape(s:asked.handoff)
    call s:WaitFor('s:Has("verdict")')
    let s:seen.problems = s:Problems()

    call search('^verdict: \zs')
    call setline('.', 'verdict: n/a')
    doautocmd TextChanged
    call s:WaitFor('!s:Has("verdict")')
    let s:seen.after_typing = s:Problems()

    call cursor(search('^verdict'), 2)
    ALEHover
    call s:WaitFor('!empty(s:Preview())')
    let s:seen.hover = s:Preview()
    pclose

    " The quick fix, out of the menu of them: the first, since nobody is there to be asked.
    call cursor(1, 3)
    runtime autoload/ale/util.vim
    function! ale#util#Input(message, value) abort
        let s:seen.menu = a:message
        return '1'
    endfunction
    ALECodeAction
    call s:WaitFor('search("^## Status$", "nw")')
    let s:seen.fixed = join(getline(1, '$'), "\n")
    write

    execute 'edit' fnameescape(s:asked.status)
    call s:WaitFor('!empty(s:Problems())')
    let s:seen.json_problems = s:Problems()

    execute 'edit' fnameescape(s:asked.log)
    let s:seen.log_filetype = &filetype
    let s:seen.comments = map(['status-block', 'none'], {_, name -> handoff_lsp#IsHandoff(s:Commented(name))})
    let s:seen.places = filter(copy(s:asked.places), {_, path -> handoff_lsp#IsHandoff(bufadd('/work/' .. path))})
endfunction

function! s:Run() abort
    try
        call s:All()
    catch
        let s:seen.error = v:exception .. ' at ' .. v:throwpoint
        let s:seen.messages = execute('messages')
    endtry
    call writefile([json_encode(s:seen)], s:asked.out)
    qall!
endfunction

" Not before the plugins are there.
autocmd VimEnter * ++nested call s:Run()
