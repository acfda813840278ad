// The language server of remark, as the README of unified-language-server shows it, with the recommended rules.
import {remark} from 'remark'
import recommended from 'remark-preset-lint-recommended'
import {createUnifiedLanguageServer} from 'unified-language-server'

createUnifiedLanguageServer({
  ignoreName: '.remarkignore',
  packageField: 'remarkConfig',
  pluginPrefix: 'remark',
  rcName: '.remarkrc',
  processorName: 'remark',
  processorSpecifier: 'remark',
  defaultProcessor: remark().use(recommended),
})
