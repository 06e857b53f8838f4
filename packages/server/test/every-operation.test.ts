import type { Admin } from '@service/client/admin'
import type { AdminRoute } from '@service/contract'
import { adminRoutes } from '@service/contract/admin'
import { adminDocs } from '@service/contract/docs/admin'
import { paramNamesIn, pathParams } from '@service/contract/path-params'
import type { RouteDocs } from '@service/contract/route-docs'
import { expect, it } from 'vitest'
import { inputFlags } from '../src/cli/input-flags.ts'
import { callerName } from '../src/core/admin-caller.ts'
import {
  hasCommand,
  hasOwnCommand,
  type InterfaceName,
  interfaceNames,
  openAdminInterface,
} from './admin-interfaces.ts'
import { runCliOperations, runOtherOperations } from './operation-scenarios.ts'

// Calls each operation of administration through each interface, and expects the same results and errors. It fails for a
// route that no scenario calls, and for a resource that neither has a command nor a reason for having none.

/** Two hundred commands. Without a server, each opens and closes the platform. */
const slow = { timeout: 180_000 }

const routes: readonly AdminRoute[] = adminRoutes
const examples: Readonly<Record<string, RouteDocs>> = adminDocs

/** Resources without commands, and why. The command line is for operators, not for daily work. */
const withoutCommands: Readonly<Record<string, string>> = {
  setup: '`service-server setup` has other flags: it also creates the password and a token.',
  sessions: 'Sessions belong to a person. The command line has no person.',
  passwordResets: 'The person with the link chooses the password.',
  account: 'It belongs to a person.',
  personalTokens: 'They belong to a person.',
  views: 'They belong to a person.',
  sharedViews: 'They belong to the lists of the dashboard.',
  overview: 'It is a page of the dashboard.',
  tickets: 'Daily work happens in the dashboard and over the API.',
  tasks: 'Likewise.',
  projects: 'Likewise.',
  channels: 'Likewise.',
  messages: 'Likewise.',
  mentions: 'Likewise.',
  accounts: 'Likewise.',
  deals: 'Likewise.',
  leads: 'Likewise.',
  leadEnquiries: 'Likewise.',
  attendance: 'Likewise.',
  activities: 'Received data is shown in the dashboard and over HTTP.',
  errorReports: 'Likewise.',
  rules: 'Their conditions are lists of objects, which flags cannot express.',
  slaPolicies: 'They belong to the rules.',
  events: '`service-server trigger` triggers events, and the commands for deliveries list them.',
  backups: '`service-server backup` writes a backup, with or without a server.',
  system: '`service-server db stats`, `prune`, `doctor` and `upgrade --check` cover it.',
  encryptionKey: '`service-server rotate-key` runs both steps.',
}

const resourceOf = ({ operation }: AdminRoute) => operation.split('.')[0] ?? ''

it('every resource has commands or a reason for having none', () => {
  const missing = routes.filter((route) => !hasCommand(route)).map(resourceOf)
  expect([...new Set(missing)].toSorted()).toEqual(Object.keys(withoutCommands).toSorted())
})

it('each operation has the same results and errors over HTTP as in process', slow, async () => {
  const [one, other] = [await recordAll('in process'), await recordAll('over HTTP')]
  expect(routes.map(({ operation }) => operation).filter((name) => !one.some(succeeds(name)))).toEqual([])
  expect(other).toEqual(one)
})

for (const name of interfaceNames.filter((each) => each.startsWith('from the command line')))
  it(`each command has the same results and errors ${name} as in process`, slow, async () => {
    const [one, other] = [await recordCommands('in process'), await recordCommands(name)]
    const names = routes.filter(hasCommand).map(({ operation }) => operation)
    expect(names.filter((name) => !other.some(succeeds(name)))).toEqual([])
    expect(other).toEqual(one)
  })

/** A recorded call of an operation. */
interface RecordedCall {
  readonly operation: string
  result?: unknown
  error?: unknown
}

const succeeds =
  (name: string) =>
  ({ operation, result }: RecordedCall) =>
    operation === name && result !== undefined

async function recordCommands(name: InterfaceName): Promise<RecordedCall[]> {
  const { adminInterface, calls } = await openRecorded(name)
  await runCliOperations(adminInterface)
  for (const route of routes.filter(hasCommand)) await expectFailures(adminInterface.admin, route)
  return calls
}

async function recordAll(name: InterfaceName): Promise<RecordedCall[]> {
  const { adminInterface, calls } = await openRecorded(name)
  await runCliOperations(adminInterface)
  await runOtherOperations(adminInterface)
  for (const route of routes) await expectFailures(adminInterface.admin, route)
  return calls
}

async function openRecorded(name: InterfaceName) {
  const calls: RecordedCall[] = []
  const adminInterface = await openAdminInterface(name)
  const asPerson = (token: string) => recording(adminInterface.asPerson(token), calls)
  return { calls, adminInterface: { ...adminInterface, admin: recording(adminInterface.admin, calls), asPerson } }
}

type Method = (...given: unknown[]) => Promise<unknown>

/** Wraps administration to record every call. */
function recording(admin: Admin, calls: RecordedCall[]): Admin {
  const resources = Object.entries<object>(admin as never).map(([resource, methods]) => {
    const recorded = Object.entries<Method>(methods as never).map(([verb, method]) => [
      verb,
      (...given: unknown[]) => {
        const entry: RecordedCall = { operation: `${resource}.${verb}` }
        calls.push(entry)
        const call = method(...given)
        call.then(
          (result) => Object.assign(entry, { result: withoutVariableFields(result, entry.operation) }),
          (error) => Object.assign(entry, { error: toPlainError(error) }),
        )
        return call
      },
    ])
    return [resource, Object.fromEntries(recorded)]
  })
  return Object.fromEntries(resources)
}

const toPlainError = ({ status, name, message, errors }: Record<string, unknown>) =>
  status === undefined ? { message } : { status, name, message, errors }

const tooLong = 'x'.repeat(65)
const noSuch = { workspace: 987_654, id: 987_654, integration: 'fax', source: tooLong, priority: tooLong }

/** Makes calls that fail on any data: with an unknown workspace, id or name, and with invalid input. */
async function expectFailures(admin: Admin, route: AdminRoute): Promise<void> {
  const [resource = '', verb = ''] = route.operation.split('.')
  const method = (admin as never as Record<string, Record<string, Method>>)[resource]?.[verb] as Method
  const names = paramNamesIn(route.path)
  const existing = Object.fromEntries(names.map((name) => [name, name === 'workspace' ? 1 : pathParams[name].example]))
  const unknownParams = names.map((name) => ({ ...existing, [name]: Object(noSuch)[name] }))
  const [valid = {}] = Object.values(examples[route.operation]?.bodies ?? {})
  const input = invalidInput(route, Object(valid))
  const calls = [
    ...unknownParams.map((params) => [
      params,
      ...(route.body === undefined && route.query === undefined ? [] : [valid]),
    ]),
    ...(input === undefined ? [] : [names.length === 0 ? [input] : [existing, input]]),
  ]
  for (const given of calls)
    await expect(method(...given), `${route.operation} ${JSON.stringify(given)}`).rejects.toThrow(/\w \w/)
}

/** Valid input except for the first field. */
function invalidInput(route: AdminRoute, valid: object): object | undefined {
  const [flag] = inputFlags(route, 'thing')
  if (flag === undefined || hasOwnCommand(route)) return undefined
  const wrong = route.body === undefined ? 'many' : 'x'.repeat(70_000)
  return { ...valid, [flag.field]: /<(names|numbers)>/.test(flag.flags) ? [wrong] : wrong }
}

/** Operations whose results depend on the machine or on the progress of a worker. */
const variableOperations =
  /^(system|backups|encryptionKey)\.|^(overview\.get|webhooks\.jobs?|webhooks\.sendTest|deliveries\.resend)$/
/** Times, secrets, and the origin of the request. */
const variableFields =
  /^(at|\w+_at|\w+_until|timestamp|secret|token|hint|link|curl|uuid|headers|body|actor|address|user_agent|request_id|via)$/

const withoutVariableFields = (result: unknown, operation: string) =>
  variableOperations.test(operation) ? 'succeeded' : masked(result)

/** Replaces values that differ between servers by their types. */
function masked(value: unknown, field = ''): unknown {
  if (value === null || value === undefined || typeof value === 'boolean') return value
  if (variableFields.test(field)) return typeof value
  // A change or record names the program that made it, such as the admin token.
  if (/^(by|origin)$/.test(field) && callerName(Object(value).kind) !== undefined) return 'a program'
  if (Array.isArray(value)) return value.map((each) => masked(each))
  if (typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, masked(each, name)]))
}
