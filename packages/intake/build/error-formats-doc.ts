// Writes the tables of docs/error-formats.md from the code: the formats, and the rules of grouping.
// `node packages/intake/build/error-formats-doc.ts --write`
import { readFile, writeFile } from 'node:fs/promises'
import { pathToFileURL } from 'node:url'
import { rows } from '../src/errors/formats/index.ts'
import { listOf, type Row } from '../src/errors/formats/table-format.ts'
import { messageRules } from '../src/errors/message-rules.ts'

export const docFile = new URL('../../../docs/error-formats.md', import.meta.url)

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string => {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}

const maxShown = 3

/** `a, b, c…`: paths as people read them, without the expressions that their values have to fit. */
const alternatives = (term: string): string => {
  const plain = term.split(' | ').map((path) => path.replace(/~.*$|:(?:object|list|text|number)$/, ''))
  const shown = [...new Set(plain)].map((path) => `\`${path.replace(/^[=^]/, '')}\``)
  return shown.slice(0, maxShown).join(', ') + (shown.length > maxShown ? '…' : '')
}

const paths = (expression: string | undefined): string =>
  (expression ?? '')
    .split(' & ')
    .filter((term) => term !== '' && !term.startsWith('!'))
    .map(alternatives)
    .join(' with ')

/** What the documentation says of the readers that are code. */
const inCode: Readonly<Record<string, readonly [message: string, exception: string]>> = {
  loki: ['each line, also JSON', 'of the line'],
  otlp: ['`exception.message`, the body of a log, the status of a span', '`exception.type`'],
  sentry: ["the last value's `value`, `logentry`, `message`", "the last value's `type`"],
  'sentry-webhook': ['as Sentry, or `metadata.value`', 'as Sentry, or `metadata.type`'],
}

/** The rows that have an error object read its message and class by their usual names. */
const usual = ({ error }: Row): string => (error === undefined ? '' : `of \`${error}\``)

const howOf = ({ guess, drop, message, error }: Row): string => {
  if (drop !== undefined && message === undefined && error === undefined) return 'no report'
  return guess ? 'the rest is guessed' : 'exact'
}

const rowOf = (row: Row): readonly string[] => {
  const [message, exception] = inCode[row.name] ?? [
    paths(row.message) || usual(row),
    paths(row.exception) || usual(row),
  ]
  return [row.title, `\`${row.name}\``, howOf(row), listOf(row.when).map(paths).join(' · '), message, exception]
}

const formatsTable = (): string =>
  table(
    ['format', 'name', 'how', 'recognized by', 'message', 'exception'],
    [
      ['documented', '`documented`', 'exact', 'only the fields above, on one line each', '`message`', '`exception`'],
      ...rows.map(rowOf),
      [
        'anything else',
        '`generic`',
        'a guess',
        '',
        'the best name in the body',
        'the best name in the body, or a stack',
      ],
    ],
  )

const code = (text: string): string => `\`${text.replaceAll('\n', ' ⏎ ')}\``

const rulesTable = (): string =>
  table(
    ['rule', 'what it does', 'before', 'after'],
    messageRules.map(({ name, description, example: [before, after] }) => [
      name,
      description,
      code(before),
      code(after),
    ]),
  )

const sections: Readonly<Record<string, () => string>> = { formats: formatsTable, rules: rulesTable }

/** The document with its tables as the code has them now. */
export function withTables(document: string): string {
  let text = document
  for (const [name, make] of Object.entries(sections)) {
    const [open, close] = [
      `<!-- ${name}: made by packages/intake/build/error-formats-doc.ts -->`,
      `<!-- end of ${name} -->`,
    ]
    const [from, to] = [text.indexOf(open), text.indexOf(close)]
    if (from === -1 || to < from) throw new Error(`docs/error-formats.md lacks the marks of ${name}.`)
    text = `${text.slice(0, from + open.length)}\n\n${make()}\n\n${text.slice(to)}`
  }
  return text
}

async function main(args: readonly string[]): Promise<void> {
  const document = await readFile(docFile, 'utf8')
  const wanted = withTables(document)
  if (args.includes('--write')) return writeFile(docFile, wanted)
  if (document === wanted) return
  process.stderr.write(
    'docs/error-formats.md is out of date: node packages/intake/build/error-formats-doc.ts --write\n',
  )
  process.exitCode = 1
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await main(process.argv.slice(2))
