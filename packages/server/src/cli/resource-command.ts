import { ValidationError } from '@service/client'
import type { Admin } from '@service/client/admin'
import type { AdminRoute } from '@service/contract'
import { adminRoutes } from '@service/contract/admin'
import { adminDocs } from '@service/contract/docs/admin'
import { paramNamesIn, pathParams } from '@service/contract/path-params'
import type { RouteDocs } from '@service/contract/route-docs'
import { Command, Option } from 'commander'
import { confirm, reportingErrors, requireNumber } from './command.ts'
import { CommandError, type ConnectionFlags, findRunning, withConnection, withWorkspace } from './connection.ts'
import { type InputFlag, inputFlags, toFlagText } from './input-flags.ts'
import { mappingCommand, previewCommand } from './mapping-commands.ts'
import { print, toAnswer, toPastable, toTable } from './output.ts'
import { printedCommand } from './printed-command.ts'
import type { CliResource } from './resources.ts'
import { withAdmin } from './with-admin.ts'

/** `service-server token …`: one subcommand per route of the resource, built from the route and its documentation. */
export function resourceCommand(noun: string, resource: CliResource): Command {
  const command = new Command(noun).description(resource.summary)
  const docs: Readonly<Record<string, RouteDocs>> = adminDocs
  for (const route of adminRoutes) {
    const [name, verb = ''] = route.operation.split('.')
    if (name === resource.resource) command.addCommand(verbCommand({ noun, verb, route, resource }, docs))
  }
  if (noun === 'integration' || noun === 'lead-source')
    for (const child of [previewCommand(noun), mappingCommand(noun)]) command.addCommand(child)
  return command
}

interface Verb {
  readonly noun: string
  readonly verb: string
  readonly route: AdminRoute
  readonly resource: CliResource
}

function verbCommand(verb: Verb, docs: Readonly<Record<string, RouteDocs>>): Command {
  const { summary = '', description, bodies = {} } = docs[verb.route.operation] ?? {}
  const flags = inputFlags(verb.route, verb.noun)
  const command = new Command(toKebab(verb.verb)).summary(summary).description(description ?? `${summary}.`)
  const names = argumentsOf(verb)
  for (const name of names) {
    const { description, example } = pathParams[name]
    if (typeof example === 'number') command.argument(`<${name}>`, description, requireNumber)
    else command.argument(`<${name}>`, description)
  }
  for (const { field, flags: text, description, isRequired } of flags)
    command.addOption(new Option(text, verb.resource.hints?.[field] ?? description).makeOptionMandatory(isRequired))
  command.option('--json', 'print JSON')
  if (isDestructive(verb)) command.option('--yes', 'skip the confirmation')
  const connect = isInWorkspace(verb) ? withWorkspace : withConnection
  return connect(command)
    .addHelpText('after', `\nExample:\n  ${createExample(verb, flags, Object.values(bodies)[0])}`)
    .action(
      reportingErrors(async (...given: readonly unknown[]) => {
        const pathArguments = Object.fromEntries(names.map((name, at) => [name, given[at]]))
        await run(verb, flags, { pathArguments, options: given[names.length] as Options })
      }),
    )
}

interface Options extends ConnectionFlags {
  readonly workspace?: string
  readonly json?: boolean
  readonly yes?: boolean
  readonly [flag: string]: unknown
}

interface Invocation {
  readonly pathArguments: Readonly<Record<string, unknown>>
  readonly options: Options
}

async function run(verb: Verb, flags: readonly InputFlag[], { pathArguments, options }: Invocation): Promise<void> {
  const at = isInWorkspace(verb) ? { workspace: options.workspace, ...pathArguments } : pathArguments
  if (isDestructive(verb)) await confirm(`${toSentence(verb, pathArguments)}${describePlace(options)}?`, options)
  const answer = await withAdmin(options, (admin) =>
    getMethod(admin, verb.route)(...argumentsFor(verb, at, toInput(flags, options))),
  ).catch((fault: unknown) => {
    throw options.json === true ? fault : withFlagNames(fault, flags)
  })
  const usable = withAddress(answer, options)
  const shown = options.json === true ? JSON.stringify(usable, null, 2) : toReadable(usable, verb)
  const next = options.json === true ? undefined : verb.resource.next?.[verb.verb]?.(answer, options.workspace ?? '')
  const step = next === undefined ? [] : [`${next.sentence}\n  ${printedCommand(next.words, options)}`]
  print(`${[shown, ...step].join('\n\n')}\n`)
  const note = options.json === true ? undefined : verb.resource.note?.[verb.verb]?.(answer)
  if (note !== undefined) process.stderr.write(`${note}\n`)
}

const describePlace = ({ workspace }: Options) => (workspace === undefined ? '' : ` in workspace ${workspace}`)

/** Rewrites field names in validation errors to flag names. */
function withFlagNames(fault: unknown, flags: readonly InputFlag[]): unknown {
  if (!(fault instanceof ValidationError)) return fault
  const lines = Object.entries(fault.errors).flatMap(([field, sentences]) => {
    const flag = flags.find((each) => each.field === field.split('.')[0])?.flags.split(' ')[0] ?? field
    return sentences.map((sentence) => `  ${flag}: ${sentence}`)
  })
  return new CommandError([fault.message, ...lines].join('\n'))
}

/** Links in responses are paths; this adds the address so that they can be opened. */
function withAddress(answer: object, options: Options): object {
  if (!('link' in answer)) return answer
  const address = process.env['SERVICE_PUBLIC_URL'] || findRunning(options)?.linkUrl
  return address === undefined ? answer : { ...answer, link: address.replace(/\/$/, '') + String(answer.link) }
}

type AnyMethod = (...given: unknown[]) => Promise<object>

function getMethod(admin: Admin, { operation }: AdminRoute): AnyMethod {
  const [resource = '', verb = ''] = operation.split('.')
  const methods: unknown = Object.entries(admin).find(([name]) => name === resource)?.[1]
  return (methods as Record<string, AnyMethod>)[verb] as AnyMethod // the client has one method per route
}

/** The arguments of the client's methods: path parameters, then the input. */
const argumentsFor = ({ route }: Verb, pathArguments: object, input: object) => [
  ...(route.path.includes('{') ? [pathArguments] : []),
  ...(route.body !== undefined || route.query !== undefined ? [input] : []),
]

const toInput = (flags: readonly InputFlag[], options: Options) =>
  Object.fromEntries(
    flags.flatMap(({ field, key, read }) => {
      const given = options[key] // true for a flag without a value
      return given === undefined ? [] : [[field, read(String(given))]]
    }),
  )

/** Path parameters other than the workspace are arguments. For workspace commands, the workspace is an argument too. */
const argumentsOf = ({ noun, route }: Verb) =>
  paramNamesIn(route.path).filter((name) => name !== 'workspace' || noun === 'workspace')

const isInWorkspace = ({ noun, route }: Verb) => noun !== 'workspace' && route.path.includes('{workspace}')

/** Irreversible operations: deletions, and secret rotations that take effect immediately. */
const isDestructive = ({ verb, route }: Verb) =>
  route.method === 'DELETE' || (verb === 'rotateSecret' && route.body === undefined) || verb === 'revokePreviousSecret'

const toKebab = (verb: string) => verb.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

function toSentence({ noun, verb }: Verb, pathArguments: object): string {
  const words = toKebab(verb).replaceAll('-', ' ')
  return `${words[0]?.toUpperCase()}${words.slice(1)} of ${noun} ${Object.values(pathArguments).join(' ')}`.replace(
    /^(Delete|Revoke) of/,
    '$1',
  )
}

function createExample(verb: Verb, flags: readonly InputFlag[], body: unknown): string {
  const input = Object.entries(Object(body)).flatMap(([field, value]) => {
    const flag = flags.find((each) => each.field === field)
    const [name] = flag?.flags.split(' ') ?? []
    return name === undefined ? [] : [value === true ? name : `${name} ${toFlagText(value)}`]
  })
  const pathArguments = argumentsOf(verb).map((name) => String(pathParams[name].example))
  return ['service-server', verb.noun, toKebab(verb.verb), ...pathArguments, ...input].join(' ')
}

interface ListAnswer {
  readonly data?: readonly object[]
  readonly next_before?: number | null
  readonly next_cursor?: string | null
}

function toReadable(answer: object & ListAnswer, { resource, noun, verb }: Verb): string {
  const [only, ...others] = Object.values(answer)
  if (typeof only === 'string' && others.length === 0) return toPastable(only)
  if (answer.data === undefined) return toAnswer(answer)
  const { data, next_before, next_cursor } = answer
  const next = next_before == null ? next_cursor && `--cursor ${next_cursor}` : `--before ${next_before}`
  const more = next == null ? '' : `\nThere may be more: ${next}`
  const [first] = data
  // A filter that few rows match may find none in a page, and some in the next.
  if (first === undefined) return (verb === 'list' ? `No ${noun}.` : 'The list is empty.') + more
  const columns = (resource.columnsOf?.[verb] ?? resource.columns).filter((column) => column in first)
  const shown = columns.length > 1 ? columns : Object.keys(first)
  return toTable(data, shown) + more
}
