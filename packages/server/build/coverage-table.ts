// Writes docs/COVERAGE.md from the contract and coverage-notes.ts; with --check it only says whether the file is as it
// should be. `node packages/server/build/coverage-table.ts --write`
import { readFile, writeFile } from 'node:fs/promises'
import { pathToFileURL } from 'node:url'
import {
  apiRoutes,
  type EventName,
  eventSchemas,
  events,
  fullPath,
  inboundRoutes,
  type Route,
  type SecretKind,
} from '@service/contract'
import { apiDocs } from '@service/contract/docs'
import type { Decision } from '@service/contract/route-docs'
import { eventNotes, everyDelivery, everywhere } from './coverage-notes.ts'

const routes = [...apiRoutes, ...inboundRoutes]
const docs = apiDocs

/** docs/COVERAGE.md as it has to be. */
export function coverageTable(): string {
  const sections = [
    opening,
    `## Operations\n\n${operationsTable()}`,
    `## Events\n\n${eventsTable()}`,
    `## Where the real service is not documented\n\n${undocumented}`,
    `### Everywhere\n\n${decisionsTable(everywhere)}`,
    ...routes.flatMap(({ operation }) => decisionsOf(operation, docs[operation].notes.decisions)),
    `### Every outbound webhook\n\n${decisionsTable(everyDelivery)}`,
    ...eventNames.flatMap((name) => decisionsOf(name, eventNotes[name])),
  ]
  return `${sections.join('\n\n')}\n`
}

const opening = `# What the double covers

<!-- Made by packages/server/build/coverage-table.ts from the contract. Change that, then run it with --write. -->

All ${routes.length} operations of the platform's document are here, with state: what one writes the others read, by whichever transport it
comes. The double is the platform itself, so there is no second copy that could drift.

For every operation: faults (\`server.faults.add({ match: { operation } })\`), the journal with the rows that were changed
(\`server.expectRequest({ operation })\`), the production checks of tokens, scopes, secrets and limits, \`Idempotency-Key\` on
POST, and the check against the contract in both directions.`

const undocumented = `The platform's document says "not shown" in these places. Each answer below is ours: a test that leans on one of them
says nothing about the real service. Where there is an option, run your tests with both.`

function operationsTable(): string {
  const head = ['Operation', 'Request', 'Scope or secret', 'Does', 'Made by', 'Event', 'Refusals', 'Checked']
  return table(head, routes.map(operationRow))
}

function operationRow(route: (typeof routes)[number]): string[] {
  const { operation, method, errorStatuses, emits }: Route = route
  const { does, createdWith, mayEmit } = docs[route.operation].notes
  return [
    `\`${operation}\``,
    `${method} ${fullPath(route)}`,
    credentialOf(route),
    does,
    createdWith.map((name) => `\`${name}\``).join(', '),
    emits ?? mayEmit ?? '–',
    [...errorStatuses].toSorted((a, b) => a - b).join(' '),
    checkedOf(route),
  ]
}

const secretNames: Readonly<Record<SecretKind, string>> = {
  webhook: 'webhook secret',
  device: 'device secret',
  provider: "the provider's own",
}

function credentialOf({ surface, scope, secrets = [] }: Route): string {
  if (surface === 'api') return `\`${scope}\``
  const accepted = [...secrets.map((kind) => secretNames[kind]), ...(scope === undefined ? [] : ['token'])]
  return accepted.length === 0 ? 'none' : accepted.join(' or ')
}

function checkedOf({ surface, body }: Route): string {
  if (body === undefined) return 'path, answer'
  return surface === 'api' || !isLoose(body) ? 'path, body, answer' : 'path, answer; the body is free'
}

const isLoose = (body: NonNullable<Route['body']>) => 'catchall' in body._zod.def

const eventNames = Object.keys(events) as EventName[] // Object.keys forgets the literal keys

function eventsTable(): string {
  const rows = eventNames.map((name) => [
    `\`${name}\``,
    events[name],
    Object.keys(eventSchemas[name].shape)
      .map((key) => `\`${key}\``)
      .join(', '),
    `\`server.trigger('${name}')\``,
    'body, signature',
  ])
  return table(['Event', 'When', 'Payload', 'Set off by hand', 'Checked'], rows)
}

const decisionsOf = (name: string, decisions: readonly Decision[]) =>
  decisions.length === 0 ? [] : [`### \`${name}\`\n\n${decisionsTable(decisions)}`]

const decisionsTable = (decisions: readonly Decision[]) =>
  table(
    ['Not documented', 'Here', 'Option'],
    decisions.map(({ question, answer, option }) => [question, answer, option === undefined ? '–' : `\`${option}\``]),
  )

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}

/** Where the table stands. */
export const coverageFile = new URL('../../../docs/COVERAGE.md', import.meta.url)

async function main(args: readonly string[]): Promise<void> {
  if (args.includes('--write')) return writeFile(coverageFile, coverageTable())
  if ((await readFile(coverageFile, 'utf8')) === coverageTable()) return
  process.stderr.write('docs/COVERAGE.md is out of date: node packages/server/build/coverage-table.ts --write\n')
  process.exitCode = 1
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await main(process.argv.slice(2))
