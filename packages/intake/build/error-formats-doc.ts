// Writes the tables of docs/error-formats.md from the code: the formats, and the rules of grouping.
// `node packages/intake/build/error-formats-doc.ts --write`
import { readFile, writeFile } from 'node:fs/promises'
import { pathToFileURL } from 'node:url'
import { formats } from '../src/errors/formats/index.ts'
import { messageRules } from '../src/errors/message-rules.ts'

export const docFile = new URL('../../../docs/error-formats.md', import.meta.url)

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string => {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}

const formatsTable = (): string =>
  table(
    ['format', 'name', 'recognised by', 'message', 'exception', 'file and line', 'app · environment · severity; more'],
    formats.map(({ name, about: { title, by, message, exception, place, context } }) => [
      title,
      `\`${name}\``,
      by,
      message,
      exception,
      place,
      context,
    ]),
  )

const code = (text: string): string => `\`${text.replaceAll('\n', ' ⏎ ')}\``

const rulesTable = (): string =>
  table(
    ['rule', 'what it does', 'before', 'after'],
    messageRules.map(({ name, does, example: [before, after] }) => [name, does, code(before), code(after)]),
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
