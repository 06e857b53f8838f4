import type { Admin } from '@service/client/admin'
import type { AdminRoute } from '@service/contract'
import { adminRoutes } from '@service/contract/admin'
import { adminDocs } from '@service/contract/docs/admin'
import { paramNamesIn, pathParams } from '@service/contract/path-params'
import type { RouteDocs } from '@service/contract/route-docs'
import { expect, it } from 'vitest'
import { inputFlags } from '../src/cli/input-flags.ts'
import { type FaceName, faceNames, hasCommand, hasOwnCommand, openFace } from './on-every-face.ts'
import { tellTheRest, tellWhatCommandsDo } from './operation-stories.ts'

// Each operation of administration in each of the ways to it, whose answers and refusals must be the same. A route of the
// contract that no story calls, and a resource that the command line neither has nor is said to lack, fails here.

/** Two hundred commands, of which each opens and closes the platform where there is no server. */
const patient = { timeout: 180_000 }

const routes: readonly AdminRoute[] = adminRoutes
const examples: Readonly<Record<string, RouteDocs>> = adminDocs

/** What has no command, and why: the command line is for who runs the platform, not for the work in it. */
const withoutCommands: Readonly<Record<string, string>> = {
  setup: '`service-server setup` takes other flags: it makes the password and a token too.',
  sessions: 'They are a person’s; the command line is nobody in particular.',
  passwordResets: 'The password is chosen by the person who has the link.',
  account: 'It is a person’s own.',
  personalTokens: 'They are a person’s own.',
  overview: 'It is the first page of the dashboard.',
  tickets: 'Work goes on in the dashboard and over the API.',
  tasks: 'Likewise.',
  projects: 'Likewise.',
  channels: 'Likewise.',
  messages: 'Likewise.',
  accounts: 'Likewise.',
  deals: 'Likewise.',
  leads: 'Likewise.',
  leadEnquiries: 'Likewise.',
  attendance: 'Likewise.',
  activities: 'What came in is looked at in the dashboard and over HTTP.',
  errorReports: 'Likewise.',
  rules: 'Their conditions are lists of objects, which are no flags.',
  slaPolicies: 'They belong to the rules.',
  events: '`service-server trigger` has one happen; what was stored is seen as deliveries.',
  backups: '`service-server backup` writes a file, with a server or without one.',
  system: '`service-server db stats` has the sizes, `prune` its own name, `doctor` and `migrate --status` the rest.',
  encryptionKey: '`service-server rotate-key` does both steps of a rotation.',
}

const resourceOf = ({ operation }: AdminRoute) => operation.split('.')[0] ?? ''

it('the command line has each resource, or it is said why it has not', () => {
  const missing = routes.filter((route) => !hasCommand(route)).map(resourceOf)
  expect([...new Set(missing)].toSorted()).toEqual(Object.keys(withoutCommands).toSorted())
})

it('each operation succeeds and is refused over HTTP as in process', patient, async () => {
  const [one, other] = [await tellAll('in process'), await tellAll('over HTTP')]
  expect(routes.map(({ operation }) => operation).filter((name) => !one.some(succeeds(name)))).toEqual([])
  expect(other).toEqual(one)
})

for (const face of faceNames.filter((name) => name.startsWith('by the command line')))
  it(`each command succeeds and is refused ${face} as in process`, patient, async () => {
    const [one, other] = [await tellCommands('in process'), await tellCommands(face)]
    const names = routes.filter(hasCommand).map(({ operation }) => operation)
    expect(names.filter((name) => !other.some(succeeds(name)))).toEqual([])
    expect(other).toEqual(one)
  })

/** A call of an operation and what came of it. */
interface Told {
  readonly operation: string
  answer?: unknown
  refusal?: unknown
}

const succeeds =
  (name: string) =>
  ({ operation, answer }: Told) =>
    operation === name && answer !== undefined

async function tellCommands(name: FaceName): Promise<Told[]> {
  const { face, told } = await openRecorded(name)
  await tellWhatCommandsDo(face)
  for (const route of routes.filter(hasCommand)) await provoke(face.admin, route)
  return told
}

async function tellAll(name: FaceName): Promise<Told[]> {
  const { face, told } = await openRecorded(name)
  await tellWhatCommandsDo(face)
  await tellTheRest(face)
  for (const route of routes) await provoke(face.admin, route)
  return told
}

async function openRecorded(name: FaceName) {
  const told: Told[] = []
  const face = await openFace(name)
  const asPerson = (token: string) => recording(face.asPerson(token), told)
  return { told, face: { ...face, admin: recording(face.admin, told), asPerson } }
}

type Method = (...given: unknown[]) => Promise<unknown>

/** The same administration, of which every call is noted. */
function recording(admin: Admin, told: Told[]): Admin {
  const resources = Object.entries<object>(admin as never).map(([resource, methods]) => {
    const noted = Object.entries<Method>(methods as never).map(([verb, method]) => [
      verb,
      (...given: unknown[]) => {
        const entry: Told = { operation: `${resource}.${verb}` }
        told.push(entry)
        const call = method(...given)
        call.then(
          (answer) => Object.assign(entry, { answer: withoutChance(answer, entry.operation) }),
          (refusal) => Object.assign(entry, { refusal: toRefusal(refusal) }),
        )
        return call
      },
    ])
    return [resource, Object.fromEntries(noted)]
  })
  return Object.fromEntries(resources)
}

const toRefusal = ({ status, name, message, errors }: Record<string, unknown>) =>
  status === undefined ? { message } : { status, name, message, errors }

const tooLong = 'x'.repeat(65)
const noSuch = { workspace: 987_654, id: 987_654, integration: 'fax', source: tooLong, priority: tooLong }

/** Each thing that a route refuses, whatever is there: a workspace, an id or a name that is not, and wrong input. */
async function provoke(admin: Admin, route: AdminRoute): Promise<void> {
  const [resource = '', verb = ''] = route.operation.split('.')
  const method = (admin as never as Record<string, Record<string, Method>>)[resource]?.[verb] as Method
  const names = paramNamesIn(route.path)
  const there = Object.fromEntries(names.map((name) => [name, name === 'workspace' ? 1 : pathParams[name].example]))
  const places = names.map((name) => ({ ...there, [name]: Object(noSuch)[name] }))
  const [valid = {}] = Object.values(examples[route.operation]?.bodies ?? {})
  const input = wrongInput(route, Object(valid))
  const calls = [
    ...places.map((place) => [place, ...(route.body === undefined && route.query === undefined ? [] : [valid])]),
    ...(input === undefined ? [] : [names.length === 0 ? [input] : [there, input]]),
  ]
  for (const given of calls)
    await expect(method(...given), `${route.operation} ${JSON.stringify(given)}`).rejects.toThrow(/\w \w/)
}

/** Valid input, but with a value that the first field cannot have. */
function wrongInput(route: AdminRoute, valid: object): object | undefined {
  const [flag] = inputFlags(route, 'thing')
  if (flag === undefined || hasOwnCommand(route)) return undefined
  const wrong = route.body === undefined ? 'many' : 'x'.repeat(70_000)
  return { ...valid, [flag.field]: /<(names|numbers)>/.test(flag.flags) ? [wrong] : wrong }
}

/** Answers that depend on the machine, or on how far a worker is. */
const ofChance =
  /^(system|backups|encryptionKey)\.|^(overview\.get|webhooks\.jobs?|webhooks\.sendTest|deliveries\.resend)$/
/** Times, secrets, and who asked from where. */
const fieldsOfChance =
  /^(at|\w+_at|\w+_until|timestamp|secret|token|hint|link|curl|uuid|headers|body|actor|address|user_agent|request_id|via)$/

const withoutChance = (answer: unknown, operation: string) => (ofChance.test(operation) ? 'answered' : masked(answer))

/** What differs between two servers that did the same becomes the name of its type. */
function masked(value: unknown, field = ''): unknown {
  if (value === null || value === undefined || typeof value === 'boolean') return value
  if (fieldsOfChance.test(field)) return typeof value
  if (Array.isArray(value)) return value.map((each) => masked(each))
  if (typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, masked(each, name)]))
}
