autocmd BufNewFile,BufRead */.agent/activity.log setfiletype log
