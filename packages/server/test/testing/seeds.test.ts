import { createHmac } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { scopeNames } from '@service/contract'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createTestServer, type Seed, SeedError, type TestServer } from '../../src/testing/entries/testing.ts'
import { collectedLog } from '../collected-log.ts'
import { freshDirectory } from '../fresh-directory.ts'

let directory = ''
const open: TestServer[] = []
beforeEach(async () => {
  directory = await freshDirectory()
})
afterEach(async () => {
  for (const server of open.splice(0)) await server.close()
})

async function start(seed: Seed): Promise<TestServer> {
  const server = await createTestServer({ seed, clock: '2026-03-01T09:00:00Z' })
  open.push(server)
  return server
}

async function file(name: string, text: string): Promise<string> {
  const path = join(directory, name)
  await writeFile(path, text)
  return path
}

async function problemsOf(seed: Seed): Promise<readonly string[]> {
  const refusal = await start(seed).catch((thrown: unknown) => thrown)
  expect(refusal).toBeInstanceOf(SeedError)
  return (refusal as SeedError).problems.map((problem) => problem.replaceAll(`${directory}/`, '')) // just checked
}

const yaml = `
workspaces:
  - id: 7
    name: Acme
    time_zone: Europe/Berlin
    created_at: 2025-01-01T00:00:00Z
    members:
      - { key: ann, name: Ann, email: ann@acme.test, role: owner, id: 40 }
      - { name: Bob, email: bob@acme.test }
    projects:
      - name: Website
    tickets:
      - title: Second
        id: 12
        assigned_to: bob@acme.test
        project: Website
        status: resolved
        created_at: 2026-02-02T10:00:00Z
        updated_at: 2026-02-03T10:00:00Z
      - { title: First, id: 11, created_by: ann, tags: [a, b], created_at: 2026-02-01T10:00:00+01:00, key: first }
    tasks:
      - { title: Look, ticket: first }
    devices:
      - { device_name: Door, external_device_id: D-1, secret: door-secret }
    integrations:
      - { kind: errors, secret: errors-secret, mapping: { fields: { message: data.text } } }
      - { kind: gitlab, open_tickets: true, secret: gitlab-secret }
    lead_sources:
      - { source: website, secret: website-secret, mapping: { ignore_when: test } }
    subscriptions:
      - { url: 'https://receiver.test/in', events: [ticket.*], secret: whsec_cGlubmVkLXNlY3JldC1vZi1hLXNlZWQ= }
    tokens:
      - { user: ann, token: service_test_ann, scopes: ['tickets:read'] }
`

it('applies a YAML file with fixed ids, times, tokens, and secrets', async () => {
  const server = await start(await file('seed.yaml', yaml))
  const errors = { workspace: 7, integration: 'errors' } as const
  expect(await server.admin.integrations.get(errors)).toMatchObject({ mapping: { fields: { message: 'data.text' } } })
  const website = await server.admin.leadSources.get({ workspace: 7, source: 'website' })
  expect(website).toMatchObject({ enabled: true, mapping: { ignore_when: 'test' } })
  const tickets = (await server.admin.tickets.list({ workspace: 7 })).data
  expect(tickets).toMatchObject([
    {
      id: 12,
      title: 'Second',
      status: 'resolved',
      created_at: '2026-02-02T10:00:00.000000Z',
      updated_at: '2026-02-03T10:00:00.000000Z',
      assignee: { name: 'Bob' },
    },
    { id: 11, title: 'First', created_by: 40, created_at: '2026-02-01T09:00:00.000000Z' },
  ])
  const headers = { authorization: 'Bearer service_test_ann', accept: 'application/json' }
  const listed = await server.fetch('/api/v1/workspaces/7/tickets', { headers })
  // The admin API has three more fields.
  expect(await listed.json()).toEqual({
    data: tickets.map(({ due_at: _, tags: __, sla_due_at: ___, ...ticket }) => ticket),
  })
  expect((await server.fetch('/api/v1/workspaces/7/projects', { headers })).status).toBe(403)
})

it.each<[unknown, string]>([
  [Promise.resolve({ workspaces: [] }), 'A seed must be an object with `workspaces`. It is a promise: await it first.'],
  [new Map([['workspaces', []]]), 'A seed must be an object with `workspaces`. It is a Map.'],
  [
    { workspaces: [{ name: 'A', tickets: [Promise.resolve({ title: 'A' })] }] },
    'workspaces[0].tickets[0]: This must have fields. It is a promise: await it first.',
  ],
])('refuses a promise or a Map', async (seed, problem) => {
  expect(await problemsOf(seed as Seed)).toEqual([problem])
})

it('refuses a key that two lists of a workspace have, because it has one id', async () => {
  const workspace = { name: 'A', members: [{ key: 'a' }], tickets: [{ key: 'a' }] }
  expect(await problemsOf({ workspaces: [workspace] })).toEqual([
    'workspaces[0].tickets[0].key: The key a is used twice.',
  ])
})

it('creates records in the order of their times, and subtasks after their parents', async () => {
  const server = await start({
    workspaces: [
      {
        id: 7,
        projects: [{ name: 'Now' }, { name: 'Last year', created_at: '2025-01-01T00:00:00Z' }],
        tickets: [
          { title: 'Now' },
          { title: 'Yesterday', created_at: '2026-02-28T09:00:00Z' },
          { title: 'A year ago', created_at: '2025-03-01T09:00:00Z' },
          { title: 'At the same time', created_at: '2025-03-01T10:00:00+01:00' },
        ],
        tasks: [
          { title: 'A parent', key: 'parent', created_at: '2025-03-01T09:00:00Z' },
          { title: 'A subtask', parent: 'parent', created_at: '2025-03-01T09:00:00Z' },
          { title: 'Before', created_at: '2025-02-01T09:00:00Z' },
        ],
      },
    ],
  })
  const at = { workspace: 7 }
  const { data: tickets } = await server.admin.tickets.list(at)
  expect(tickets.map(({ ticket_number, title }) => [ticket_number, title])).toEqual([
    ['TKT-00004', 'Now'],
    ['TKT-00003', 'Yesterday'],
    ['TKT-00002', 'At the same time'],
    ['TKT-00001', 'A year ago'],
  ])
  expect((await server.admin.projects.list(at)).data.map(({ name }) => name)).toEqual(['Now', 'Last year'])
  expect((await server.admin.tasks.list(at)).data.map(({ title }) => title)).toEqual([
    'A subtask',
    'A parent',
    'Before',
  ])
})

it('returns the created records with their secrets', async () => {
  const { seeded } = await start(await file('seed.yaml', yaml))
  expect(seeded).toMatchObject({ workspace: 7, token: 'service_test_ann' })
  expect(seeded.workspaces).toMatchObject([
    {
      id: 7,
      name: 'Acme',
      ids: { ann: 40, first: 11 },
      members: [{ id: 40 }, { id: 41, email: 'bob@acme.test' }],
      devices: [{ secret: 'door-secret' }],
      subscriptions: [{ secret: 'whsec_cGlubmVkLXNlY3JldC1vZi1hLXNlZWQ=' }],
      secrets: { errors: 'errors-secret', gitlab: 'gitlab-secret', website: 'website-secret' },
    },
  ])
})

it('accepts inbound webhooks with a fixed secret', async () => {
  const server = await start(await file('seed.yaml', yaml))
  const report = (secret: string) =>
    server.fetch('/api/webhooks/7/errors', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-service-webhook-secret': secret },
      body: JSON.stringify({ message: 'Broken' }),
    })
  expect([(await report('errors-secret')).status, (await report('another')).status]).toEqual([200, 401])
})

it('signs deliveries with a fixed secret', async () => {
  const server = await start(await file('seed.yaml', yaml))
  const secret = 'whsec_cGlubmVkLXNlY3JldC1vZi1hLXNlZWQ='
  const signatures: boolean[] = []
  server.webhooks.receive('https://receiver.test/in', async (request) => {
    const body = Buffer.from(await request.arrayBuffer())
    const expected = createHmac('sha256', secret).update(body).digest('hex')
    signatures.push(request.headers.get('x-service-signature') === expected)
    return new Response(null, { status: 204 })
  })
  await server.create.ticket({ workspace: 7 })
  await server.settled()
  expect(signatures).toEqual([true])
})

it.each([63, 64, 65])(
  'signs deliveries with a secret of %i bytes: below, at, and above the block size of the hash',
  async (length) => {
    const secret = 'k'.repeat(length)
    const url = 'https://receiver.test/in'
    const server = await start({ workspaces: [{ id: 7, subscriptions: [{ url, secret }] }] })
    const signatures: boolean[] = []
    server.webhooks.receive(url, async (request) => {
      const expected = createHmac('sha256', secret)
        .update(Buffer.from(await request.arrayBuffer()))
        .digest('hex')
      signatures.push(request.headers.get('x-service-signature') === expected)
      return new Response(null, { status: 204 })
    })
    await server.create.ticket({ workspace: 7 })
    await server.settled()
    expect(signatures).toEqual([true])
  },
)

it('reads YAML, JSON, and an object alike', async () => {
  const { parse } = await import('yaml')
  const data = parse(yaml)
  const states = [await file('a.yml', yaml), await file('a.json', JSON.stringify(data, null, '\t')), data].map(
    async (seed) => {
      const server = await start(seed)
      return { seeded: server.seeded, tickets: (await server.admin.tickets.list({ workspace: 7 })).data }
    },
  )
  const [first, ...others] = await Promise.all(states)
  for (const other of others) expect(other).toEqual(first)
})

it('applies the export of a module, data or a function', async () => {
  const data = await file('data.mjs', "export default { workspaces: [{ name: 'From a module' }] }")
  const work = await file(
    'work.mjs',
    "export default async (admin, { create }) => { await create.token({ token: 'service_test_x' }) }",
  )
  expect((await start(data)).seeded.workspaces).toMatchObject([{ name: 'From a module' }])
  expect((await start(work)).seeded).toMatchObject({ workspace: 1, token: 'service_test_x' })
})

it('reports every error of a file with its position at once', async () => {
  const wrong = `workspaces:
  - name: Acme
    time_zone: Mars/Base
  - name: Right
    tikets: []
  - name: Third
    members:
      - { name: Ann, email: invalid }
      - { name: Bob, email: bob@acme.test, role: king }
    projects:
      - key: site
        name: Website
      - { key: site, name: Twice }
    tickets:
      - title: ''
        tags: [fine, '']
      - title: Fine
        assigned_to: eve@acme.test
        project: site
        due_at: soon
      - assigned_to: invalid
      - project: Elsewhere
    tokens:
      - { scopes: [everything], user: bob@acme.test }
      - { user: bob@acme.test }
`
  expect(await problemsOf(await file('wrong.yaml', wrong))).toEqual([
    'wrong.yaml:3:5 workspaces[0].time_zone: The time_zone field must be an IANA time zone such as Europe/Berlin.',
    'wrong.yaml:5:5 workspaces[1].tikets: There is no field tikets here. Did you mean tickets?',
    'wrong.yaml:8:22 workspaces[2].members[0].email: The email field must be a valid email address.',
    'wrong.yaml:9:44 workspaces[2].members[1].role: The role field must be one of: owner, admin, member, viewer.',
    'wrong.yaml:13:11 workspaces[2].projects[1].key: The key site is used twice.',
    'wrong.yaml:15:9 workspaces[2].tickets[0].title: The title field is required.',
    'wrong.yaml:16:22 workspaces[2].tickets[0].tags[1]: The tags.1 field is required.',
    'wrong.yaml:20:9 workspaces[2].tickets[1].due_at: The due_at field must be a valid date (YYYY-MM-DD).',
    "wrong.yaml:18:9 workspaces[2].tickets[1].assigned_to: There is no member 'eve@acme.test' in this workspace.",
    "wrong.yaml:22:9 workspaces[2].tickets[3].project: There is no project 'Elsewhere' in this workspace.",
    `wrong.yaml:24:20 workspaces[2].tokens[0].scopes[0]: The scopes.0 field must be one of: ${scopeNames.join(', ')}.`,
  ])
})

it('reports every error of one record, even in an invalid workspace', async () => {
  const seed: object = {
    workspaces: [
      {
        nam: 'Acme',
        time_zone: 'Mars/Base',
        tasks: [{ titel: 'A', project: 'Nowhere', assigned_to: 'unknown@acme.test', ticket_id: 99 }],
      },
    ],
  }
  expect(await problemsOf(seed)).toEqual([
    'workspaces[0].time_zone: The time_zone field must be an IANA time zone such as Europe/Berlin.',
    'workspaces[0].nam: There is no field nam here. Did you mean name?',
    'workspaces[0].tasks[0].titel: There is no field titel here. Did you mean title?',
    "workspaces[0].tasks[0].project: There is no project 'Nowhere' in this workspace.",
    'workspaces[0].tasks[0].ticket_id: There is no ticket 99.',
    "workspaces[0].tasks[0].assigned_to: There is no member 'unknown@acme.test' in this workspace.",
  ])
})

it('reports the position of a syntax error', async () => {
  expect(await problemsOf(await file('broken.yaml', 'workspaces:\n  - name: "Acme\n'))).toEqual([
    'broken.yaml:3:1 Missing closing "quote',
  ])
  const [problem] = await problemsOf(await file('broken.json', '{\n  "workspaces": [}\n}'))
  expect(problem).toMatch(/^broken\.json:2:\d+ /)
})

it('reports a module that is missing, is invalid, or throws', async () => {
  expect(await problemsOf(join(directory, 'missing.mjs'))).toEqual(['missing.mjs cannot be read.'])
  const [syntax] = await problemsOf(await file('syntax.mjs', 'export default {'))
  expect(syntax).toMatch(/^syntax\.mjs cannot be loaded: \w/)
  expect(await problemsOf(await file('throws.mjs', "throw new Error('No network')"))).toEqual([
    'throws.mjs cannot be loaded: Error: No network',
  ])
})

it('reports several YAML documents, an alias without an anchor, and aliases that expand to a huge value', async () => {
  expect(await problemsOf(await file('two.yaml', 'workspaces: []\n---\nworkspaces: []\n'))).toEqual([
    'two.yaml:2:1 A seed is one YAML document, and here a second one begins.',
  ])
  const [unknown] = await problemsOf(await file('alias.yaml', 'workspaces: *all\n'))
  expect(unknown).toMatch(/^alias\.yaml.*all/)
  const levels = ['a', 'b', 'c', 'd', 'e', 'f'].map((name, index, names) => {
    const items = index === 0 ? 'x' : `*${names[index - 1]}`
    return `${name}: &${name} [${Array.from({ length: 10 }, () => items).join(', ')}]`
  })
  const [bomb] = await problemsOf(await file('bomb.yaml', `${levels.join('\n')}\n`))
  expect(bomb).toMatch(/^bomb\.yaml cannot be read: .*alias/)
})

it('names the path of each error in an object', async () => {
  const seed: object = { workspaces: [{ tickets: [{ title: 3 }] }, 'no', { tickets: {} }], extra: 1 }
  expect(await problemsOf(seed)).toEqual([
    'extra: There is no field extra here; a seed has `workspaces`.',
    'workspaces[1]: This must have fields.',
    'workspaces[2].tickets: tickets must be a list.',
    'workspaces[0].tickets[0].title: The title field must be a string.',
  ])
})

it('creates nothing from an invalid seed', async () => {
  const data = join(directory, 'data')
  const wrong = { workspaces: [{ name: 'A' }, { name: '' }] }
  await expect(createTestServer({ data, seed: wrong })).rejects.toBeInstanceOf(SeedError)
  const server = await createTestServer({ data })
  open.push(server)
  expect((await server.admin.workspaces.list()).data.toReversed()).toEqual([])
})

it('names the valid seeds when a seed is unknown', async () => {
  const refusal = await start('dmeo').catch((thrown: unknown) => thrown)
  expect(refusal).toBeInstanceOf(TypeError)
  expect(String(refusal)).toContain(
    "must be a scenario ('empty', 'demo', 'company', 'large', 'edge') or the path of a file",
  )
  expect(await problemsOf(join(directory, 'missing.yaml'))).toEqual(['missing.yaml cannot be read.'])
})

it('does not change a database that has workspaces, and logs a warning', async () => {
  const data = join(directory, 'data')
  const seed = { workspaces: [{ name: 'Once' }] }
  for (const expected of [1, 0]) {
    const log = collectedLog()
    const server = await createTestServer({ data, seed, log })
    const warnings = log.lines.filter(({ sentence }) => sentence.includes('Use an empty database, or omit `seed`.'))
    expect(warnings).toHaveLength(1 - expected)
    expect(server.seeded.workspaces).toHaveLength(expected)
    expect((await server.admin.workspaces.list()).data.toReversed()).toHaveLength(1)
    await server.close()
  }
})

it('stores no events older than the retention period', async () => {
  const old = ['2024-01-01T00:00:00Z', '2024-01-02T00:00:00Z', '2024-01-03T00:00:00Z']
  const tickets = [...old, '2026-02-28T00:00:00Z'].map((created_at) => ({ title: created_at, created_at }))
  const server = await start({ workspaces: [{ tickets }] })
  await server.settled()
  const events = (await server.admin.events.list({ workspace: 1 })).data.toReversed()
  expect(events.map(({ body }) => JSON.parse(body).ticket.title)).toEqual(['2026-02-28T00:00:00Z'])
  expect((await server.admin.tickets.list({ workspace: 1 })).data).toHaveLength(4)
})

it('a seed may have more tickets without keys than calls fit on the stack', { timeout: 180_000 }, async () => {
  const tickets = Array.from({ length: 12_000 }, (_, index) => ({ title: `Ticket ${index}` }))
  await using server = await createTestServer({ seed: { workspaces: [{ tickets }] }, clock: '2026-01-01T00:00:00Z' })
  expect((await server.admin.tickets.list({ workspace: 1 })).data.length).toBeGreaterThan(0)
})
