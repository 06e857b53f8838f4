// Writes the table of lead platforms and the list of languages into docs/git-and-leads.md; with --check it only says
// whether they are as they should be. `node packages/server/build/lead-table.ts --write`
import { readFile, writeFile } from 'node:fs/promises'
import { pathToFileURL } from 'node:url'
import { knownLanguages } from '@service/intake/leads/labels/roles'
import { knownEvents, knownSenders } from '@service/intake/leads/not-leads'
import { formSenders } from '@service/intake/leads/platforms/form'
import { leadReaders } from '@service/intake/leads/platforms/index'

const begin =
  '<!-- Made by packages/server/build/lead-table.ts from the readers. Change them, then run it with --write. -->'
const end = '<!-- End of what is made. -->'

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [line(head), `|${'---|'.repeat(head.length)}`, ...rows.map(line)].join('\n')
}

const code = (text: string) => `\`${text.replaceAll('|', '\\|')}\``

const exact = leadReaders.filter(({ isGuess }) => isGuess !== true)

const platformsTable = () =>
  table(
    ['platform', 'recognized by', 'read'],
    exact.map(({ name, recognizedBy, about }) => [name, recognizedBy.map(code).join('; '), about]),
  )

/** The senders of each reason, or the names of events, in the order of the table. */
function reasonsTable(): string {
  const reasons = [...new Set([...knownSenders, ...knownEvents].map(({ reason }) => reason))]
  const namesOf = (list: readonly { reason: string; name: string }[], reason: string) =>
    [...new Set(list.filter((entry) => entry.reason === reason).map(({ name }) => name))].join(', ')
  return table(
    ['reason', 'events of these senders: exact', 'events with names such as these: a guess'],
    reasons.map((reason) => [`\`${reason}\``, namesOf(knownSenders, reason), namesOf(knownEvents, reason)]),
  )
}

const languages = Object.keys(knownLanguages).join(', ')

/** What stands between the two marks in docs/git-and-leads.md. */
export function leadTable(): string {
  return [
    begin,
    '**Exact:** these platforms are recognized by their own keys, and the person is read from where they put it.',
    platformsTable(),
    `**A guess:** every other body is read as a form, each field by its label. This is tested with bodies of ${formSenders.join(', ')}.`,
    `Labels are known in these languages: ${languages}.`,
    '**Not leads:** these events are skipped with their reason.',
    reasonsTable(),
    end,
  ].join('\n\n')
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
