// Writes the table of lead platforms and the list of languages into docs/git-and-leads.md; with --check it only says
// whether they are as they should be. `node packages/server/build/lead-table.ts --write`
import { readFile, writeFile } from 'node:fs/promises'
import { pathToFileURL } from 'node:url'
import { knownLanguages } from '@service/intake/leads/labels/role-of'
import { formSenders } from '@service/intake/leads/platforms/form-senders'
import { leadPlatforms } from '@service/intake/leads/platforms/index'

const begin =
  '<!-- Made by packages/server/build/lead-table.ts from the readers. Change them, then run it with --write. -->'
const end = '<!-- End of what is made. -->'

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [line(head), `|${'---|'.repeat(head.length)}`, ...rows.map(line)].join('\n')
}

const platformsTable = () =>
  table(
    ['platform', 'recognised by', 'read', 'no lead'],
    leadPlatforms.map(({ notes }) => [notes.title, notes.recognisedBy, notes.read, notes.ignored ?? '']),
  )

const sendersTable = () =>
  table(
    ['read as a form', 'sends'],
    formSenders.map(({ sender, sends }) => [sender, sends]),
  )

const languages = () => knownLanguages.map(({ language }) => language).join(', ')

/** What stands between the two marks in docs/git-and-leads.md. */
export function leadTable(): string {
  return `${begin}\n\n${platformsTable()}\n\n${sendersTable()}\n\nLabels are known in these languages: ${languages()}.\n\n${end}`
}

/** The document with the table as it has to be. */
export function withLeadTable(document: string): string {
  const [from, to] = [document.indexOf(begin), document.indexOf(end)]
  if (from === -1 || to === -1)
    throw new Error('docs/git-and-leads.md has lost the marks around its table of platforms.')
  return document.slice(0, from) + leadTable() + document.slice(to + end.length)
}

/** Where the table stands. */
export const leadDocument = new URL('../../../docs/git-and-leads.md', import.meta.url)

async function run(): Promise<void> {
  const document = await readFile(leadDocument, 'utf8')
  const wanted = withLeadTable(document)
  if (process.argv.includes('--write')) await writeFile(leadDocument, wanted)
  else if (document !== wanted) {
    process.stderr.write('docs/git-and-leads.md is not as the readers say. Run this with --write.\n')
    process.exitCode = 1
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await run()
