/** Fails on idioms in sources, docs, and READMEs that are not plain American English. There are no exceptions: rewrite. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const words = [
  'nobody|somebody|whoever|whomever|told otherwise|as told|is told|tells of|tell of|what of|of its own',
  'for ever|anew|at this occasion|of late|lets go|let go|of ours|comes to|under way|says nothing|knows of',
  'stands (?:in|for|under|beside)',
]
const idioms = new RegExp(`\\b(?:${words.join('|')})\\b`, 'gi')

const cwd = fileURLToPath(new URL('..', import.meta.url))
const files = execFileSync('git', ['ls-files', 'packages/*/src/**', 'docs', '*README.md'], { cwd, encoding: 'utf8' })
for (const path of files.split('\n').filter((name) => /\.(?:tsx?|css|json|md|txt|yaml)$/.test(name))) {
  for (const [index, line] of readFileSync(cwd + path, 'utf8')
    .split('\n')
    .entries()) {
    for (const [idiom] of line.matchAll(idioms)) {
      console.error(`${path}:${index + 1}: rewrite "${idiom}" in plain English.`)
      process.exitCode = 1
    }
  }
}
