import { createLead, createTask, createTicket, type Route, recordPunch } from '@service/contract'
import { expect, test } from 'vitest'
import { onEveryStore } from './on-every-store.ts'
import { seedForEveryRoute } from './sample-requests.ts'
import { call, pathOf, queued, seedWorkspace } from './workspace.ts'

type Case = readonly [field: string, value: unknown, sentence: string]

const long = (length: number) => 'x'.repeat(length)

const title: Case[] = [
  ['title', undefined, 'The title field is required.'],
  ['title', null, 'The title field is required.'],
  ['title', '', 'The title field is required.'],
  ['title', ' \t\n', 'The title field is required.'],
  ['title', ' \u200b\u2060\ufeff\u2800\u00ad\u3164\u200f\u0007\u{e0020}', 'The title field is required.'],
  ['title', 7, 'The title field must be a string.'],
  ['title', ['Broken'], 'The title field must be a string.'],
  ['title', long(256), 'The title field must not be greater than 255 characters.'],
  ['title', 'a\u0000b', 'The title field must not contain NUL characters.'],
]

const text = (field: string, length: number): Case[] => [
  [field, 7, `The ${field} field must be a string.`],
  [field, {}, `The ${field} field must be a string.`],
  [field, long(length + 1), `The ${field} field must not be greater than ${length} characters.`],
  [field, 'a\u0000b', `The ${field} field must not contain NUL characters.`],
]

const openValue = (field: string): Case[] => [
  ...text(field, 64),
  ...['', '\u200b'].map((blank): Case => [field, blank, `The ${field} field must not be blank.`]),
]

const id = (field: string): Case[] => [
  [field, 1.5, `The ${field} field must be an integer.`],
  [field, 0, `The ${field} field must be at least 1.`],
  [field, -1, `The ${field} field must be at least 1.`],
  [field, 2 ** 53, `The ${field} field must not be greater than 9007199254740991.`],
  [field, true, `The ${field} field must be a number.`],
  [field, '1', `The ${field} field must be a number.`],
]

const day: Case[] = ['2026-02-31', '2026-13-01', '2026-2-1', '01.02.2026', '2026-12-01T00:00:00Z', '', 'tomorrow'].map(
  (value) => ['due_at', value, 'The due_at field must be a valid date (YYYY-MM-DD).'],
)

const tags: Case[] = [
  ['tags', 'a', 'The tags field must be an array.'],
  ['tags', Array.from({ length: 51 }, () => 'a'), 'The tags field must not be greater than 50 items.'],
]

const work = [
  ...title,
  ...text('description', 65_535),
  ...openValue('priority'),
  ...id('assigned_to'),
  ...id('project_id'),
]

const cases: readonly (readonly [Route, object, readonly Case[]])[] = [
  [createTicket, { title: 'Broken' }, [...work, ...openValue('category'), ...day, ...tags]],
  [
    createTask,
    { title: 'Call' },
    [...work, ...openValue('status'), ...id('ticket_id'), ...id('parent_id'), ...day, ...tags],
  ],
  [
    createLead,
    { name: 'Ben', source: 'website' },
    [
      ...title.map(([, value, sentence]): Case => ['name', value, sentence.replace('title', 'name')]),
      ['source', undefined, 'The source field is required.'],
      ['source', '', 'The source field is required.'],
      ...text('source', 64),
      ...text('phone', 255),
      ...text('company', 255),
      ...text('notes', 65_535),
      ['email', 7, 'The email field must be a string.'],
      ['email', 'ben', 'The email field must be a valid email address.'],
      ['email', 'ben@', 'The email field must be a valid email address.'],
      ['email', '', 'The email field must be a valid email address.'],
      ['email', `${long(250)}@lead.example`, 'The email field must not be greater than 255 characters.'],
    ],
  ],
  [
    recordPunch,
    { employee_code: 'E-1', external_device_id: 'DOOR-1' },
    [
      ...text('employee_code', 255),
      ...text('attendance_uid', 255),
      ...text('email', 255),
      ...text('external_device_id', 255),
      ...text('source_type', 255),
      ...id('user_id'),
      ...id('device_id'),
      ['direction', 'sideways', 'The direction field must be one of: in, out, toggle.'],
      ['direction', 'IN', 'The direction field must be one of: in, out, toggle.'],
      ['timestamp', 1_795_200_713, 'The timestamp field must be a string.'],
    ],
  ],
]

onEveryStore('a field that breaks its limit', (start) => {
  for (const [route, good, wrongs] of cases) {
    test(`is rejected by ${route.operation} with its message, and nothing is stored`, async () => {
      const server = await start({ rateLimit: 'off' })
      const { workspace, token } = await seedForEveryRoute(server)
      const path = pathOf(route, workspace.id)
      for (const [field, value, sentence] of wrongs) {
        const { status, body } = await call(server, { method: 'POST', path, token, body: { ...good, [field]: value } })
        expect([field, value, status, body.errors?.[field]]).toEqual([field, value, 422, [sentence]])
        expect([field, value, body.message]).toEqual([field, value, sentence])
      }
      expect((await server.admin.tickets.list({ workspace: workspace.id })).data).toEqual([])
      expect((await server.admin.tasks.list({ workspace: workspace.id })).data).toEqual([])
      expect((await server.admin.leads.list({ workspace: workspace.id })).data).toEqual([])
      expect((await server.admin.attendance.sessions({ workspace: workspace.id })).data).toEqual([])
      expect((await server.admin.attendance.unmatched({ workspace: workspace.id })).data).toEqual([])
      expect(await queued(server, workspace)).toEqual([])
    })
  }

  test('is reported together with the others, and the message counts them', async () => {
    const server = await start()
    const { workspace, token } = await seedWorkspace(server)
    const request = { method: 'POST', path: `/api/v1/workspaces/${workspace.id}/tickets`, token }
    const two = await call(server, { ...request, body: { priority: 7 } })
    expect(two.body).toEqual({
      message: 'The title field is required. (and 1 more error)',
      errors: {
        title: ['The title field is required.'],
        priority: ['The priority field must be a string.'],
      },
    })
    const tags = ['ok', '', long(65), 7]
    expect((await call(server, { ...request, body: { title: 'Broken', tags } })).body).toEqual({
      message: 'The tags.1 field is required. (and 2 more errors)',
      errors: {
        'tags.1': ['The tags.1 field is required.'],
        'tags.2': ['The tags.2 field must not be greater than 64 characters.'],
        'tags.3': ['The tags.3 field must be a string.'],
      },
    })
  })
})

onEveryStore('a field at its limit', (start) => {
  test('is taken', async () => {
    const server = await start()
    const { workspace, token } = await seedForEveryRoute(server)
    const work = {
      title: long(255),
      description: long(65_535),
      priority: long(64),
      due_at: '2028-02-29',
      tags: Array.from({ length: 50 }, () => long(64)),
    }
    const bodies: (readonly [Route, object])[] = [
      [createTicket, { ...work, category: 'é'.repeat(64) }],
      [createTask, { ...work, status: long(64) }],
      [
        createLead,
        {
          name: long(255),
          source: 'website',
          email: `ben@${long(60)}.${long(60)}.example`,
          phone: long(255),
          company: long(255),
          notes: long(65_535),
        },
      ],
    ]
    for (const [route, body] of bodies) {
      const answer = await call(server, { method: 'POST', path: pathOf(route, workspace.id), token, body })
      expect([route.operation, answer.status]).toEqual([route.operation, 201])
    }
  })

  test('is returned unchanged in any script', async () => {
    const server = await start()
    const { workspace, token } = await seedWorkspace(server)
    const path = `/api/v1/workspaces/${workspace.id}/tickets`
    const titles = [
      '  spaces kept  ',
      "Robert'); drop table tickets;--",
      '打印机着火了 🔥',
      'e\u0301 is not é',
      '\u{1f469}\u200d\u{1f4bb}',
      '\u200fשלום',
      '<b>\\"\n\t</b>',
    ]
    for (const title of titles) await call(server, { method: 'POST', path, token, body: { title } })
    const { body } = await call(server, { path, token })
    expect(body.data.map((ticket: { title: string }) => ticket.title).reverse()).toEqual(titles)
  })
})
