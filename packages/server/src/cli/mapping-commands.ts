import { readFileSync } from 'node:fs'
import type { Admin } from '@service/client/admin'
import type { Mapping } from '@service/contract/admin/mapping'
import { Command } from 'commander'
import { reportingErrors, requireNumber, UsageError } from './command.ts'
import { type WorkspaceFlags, withWorkspace } from './connection.ts'
import { print, toLines } from './output.ts'
import { withAdmin } from './with-admin.ts'

// `preview` and `mapping` read files, because JSON and expressions are hard to quote in a shell.

/** The resources that have a mapping. */
export type MappingNoun = 'integration' | 'lead-source'

interface Options extends WorkspaceFlags {
  readonly json?: boolean
}

interface PreviewOptions extends Options {
  readonly body?: string
  readonly delivery?: string
  readonly mapping?: string
}

interface MappingOptions extends Options {
  readonly set?: string
  readonly remove?: boolean
}

const argumentOf = { integration: 'errors or attendance', 'lead-source': 'the lead source, such as website' }
const exampleOf = { integration: 'errors', 'lead-source': 'website' }

export function previewCommand(noun: MappingNoun): Command {
  const command = new Command('preview')
    .summary('Show how a body is read')
    .description('Show how a body is read and what would happen, with the saved mapping or a draft. Nothing is stored.')
    .argument('<name>', argumentOf[noun])
    .option('--body <file>', 'a file with the body as posted by its sender')
    .option('--delivery <id>', 'an inbound delivery whose body is stored, instead of --body', requireNumber)
    .option('--mapping <file>', 'a file with a draft of the mapping (default: the saved one)')
    .option('--json', 'print the response as JSON')
  return withWorkspace(command)
    .addHelpText(
      'after',
      `\nExample:\n  service-server ${noun} preview ${exampleOf[noun]} --body body.json --mapping draft.json`,
    )
    .action(reportingErrors((name: string, options: PreviewOptions) => preview(noun, name, options)))
}

export function mappingCommand(noun: MappingNoun): Command {
  const command = new Command('mapping')
    .summary('Show, set, or remove the mapping')
    .description('Show the saved mapping, replace it with one from a file, or remove it.')
    .argument('<name>', argumentOf[noun])
    .option('--set <file>', 'a file with the new mapping as JSON')
    .option('--remove', 'remove the mapping')
    .option('--json', 'print the response as JSON')
  return withWorkspace(command)
    .addHelpText('after', `\nExample:\n  service-server ${noun} mapping ${exampleOf[noun]} --set mapping.json`)
    .action(reportingErrors((name: string, options: MappingOptions) => changeMapping(noun, name, options)))
}

async function preview(noun: MappingNoun, name: string, options: PreviewOptions): Promise<void> {
  if ((options.body === undefined) === (options.delivery === undefined))
    throw new UsageError('Pass either --body <file> or --delivery <id>.')
  const input = {
    ...(options.body === undefined ? { delivery_id: Number(options.delivery) } : readBody(options.body)),
    ...(options.mapping === undefined ? {} : { mapping: readMapping(options.mapping) }),
  }
  const explained = await withAdmin(options, (admin) =>
    explain(admin, { noun, name, workspace: options.workspace }, input),
  )
  const shown = options.json === true ? JSON.stringify(explained, null, 2) : toReadable(explained)
  print(`${shown}\n`)
}

interface Named {
  readonly noun: MappingNoun
  readonly name: string
  readonly workspace: string
}

type Input = Parameters<Admin['errorReports']['explain']>[1]

interface ExplainedBody {
  readonly data: readonly Explained[]
  /** How many entries of an error body the mapping ignores. */
  readonly ignored?: number
}

/** The printed fields that reports, leads, and punches share. */
interface Explained {
  readonly format?: string
  readonly reader?: string
  readonly title?: string
  readonly opens_ticket?: boolean
  readonly opens_because?: string
  readonly outcome?: string
  readonly reason?: string | null
  readonly mapped: readonly { field: string; from: unknown; to: unknown; expression: string }[]
}

function explain(admin: Admin, { noun, name, ...given }: Named, input: Input): Promise<ExplainedBody> {
  const at = { workspace: Number(given.workspace) }
  if (noun === 'lead-source') return Promise.resolve(admin.leadSources.explain({ ...at, source: name }, input))
  if (name === 'attendance') return Promise.resolve(admin.attendance.explain(at, input))
  if (name === 'errors') return Promise.resolve(admin.errorReports.explain(at, input))
  throw new UsageError(`${name} has no mapping. Use errors or attendance.`)
}

async function changeMapping(noun: MappingNoun, name: string, options: MappingOptions): Promise<void> {
  const patch = toPatch(options)
  const workspace = Number(options.workspace)
  const { mapping } = await withAdmin<{ readonly mapping: Mapping | null }>(options, async (admin) => {
    if (noun === 'lead-source') return admin.leadSources.update({ workspace, source: name }, patch)
    return admin.integrations.update({ workspace, integration: name as 'errors' }, patch) // the server refuses other names
  })
  const isShort = options.json !== true && mapping === null
  print(isShort ? 'No mapping.\n' : `${JSON.stringify(mapping, null, 2)}\n`)
}

function toPatch({ set, remove }: MappingOptions): { readonly mapping?: Mapping | null } {
  if (remove === true) return { mapping: null }
  return set === undefined ? {} : { mapping: readMapping(set) }
}

/** Text is sent as it is, anything else as base64. */
function readBody(file: string): Input {
  const bytes = read(file)
  const isText = bytes.every((byte) => byte >= 9)
  return isText ? { body: bytes.toString() } : { body: bytes.toString('base64'), base64: true }
}

function readMapping(file: string): Mapping {
  try {
    // Removes the byte order mark with which editors on Windows begin a file.
    return JSON.parse(new TextDecoder().decode(read(file)))
  } catch (fault) {
    if (fault instanceof SyntaxError) throw new UsageError(`${file} is not JSON: ${fault.message}.`)
    throw fault
  }
}

function read(file: string): Buffer {
  try {
    return readFileSync(file)
  } catch {
    throw new UsageError(`The file ${file} cannot be read.`)
  }
}

function toReadable({ data, ignored = 0 }: ExplainedBody): string {
  const blocks = data.map(toText)
  if (ignored > 0) blocks.push(`${ignored} ignored by the mapping`)
  return blocks.join('\n\n') || 'The body has no report.'
}

function toText({ format, reader = format, mapped, ...explained }: Explained): string {
  return toLines([
    ...(reader === undefined ? [] : [['reader', reader] as const]),
    ...(explained.title === undefined ? [] : [['title', explained.title] as const]),
    ...mapped.map(
      ({ field, from, to, expression }) =>
        [field, `${from === null ? '(none)' : JSON.stringify(from)} → ${JSON.stringify(to)}   ${expression}`] as const,
    ),
    [explained.outcome === undefined ? 'opens' : 'outcome', describeOutcome(explained)],
  ])
}

function describeOutcome({ opens_ticket, opens_because, outcome, reason }: Omit<Explained, 'mapped'>): string {
  if (outcome !== undefined) return reason == null ? outcome : `${outcome}: ${reason}`
  return `${opens_ticket === true ? 'yes' : 'no'}, because of ${opens_because === 'mapping' ? 'opens_when' : opens_because}`
}
