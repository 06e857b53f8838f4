import { createTicket, successStatus } from '@service/contract'
import { knownValues } from '@service/contract/known-values'
import { expect, test } from 'vitest'
import type { Server } from '../src/index.ts'
import { onEveryStore } from './on-every-store.ts'
import { eventsOf, type SampleRequest, seedForEveryRoute, writingRequests } from './sample-requests.ts'
import { call, pathOf, queued } from './workspace.ts'

/** Each field with known values, after the request that sends it. */
const openFields = (workspaceId: number): readonly (readonly [SampleRequest, string, readonly string[]])[] =>
  writingRequests(workspaceId).flatMap((request) =>
    Object.entries<readonly string[] | null>(knownValues[request.route.operation as keyof typeof knownValues]).flatMap(
      ([field, known]) => (known === null ? [] : [[request, field, known] as const]),
    ),
  )

/** A workspace that has the records that requests name, because each request was sent once. */
async function seedRecords(server: Server) {
  const seeded = await seedForEveryRoute(server)
  for (const request of writingRequests(seeded.workspace.id)) await call(server, { ...request, token: seeded.token })
  return seeded
}

onEveryStore('a value of an open list', (start) => {
  test('may be any string of 1 to 64 characters and is returned unchanged', async () => {
    const server = await start()
    const { workspace, token } = await seedRecords(server)
    const category = { method: 'POST', path: pathOf(createTicket, workspace.id), body: { title: 'Broken' } } as const
    for (const [{ method, path, body }, field] of [...openFields(workspace.id), [category, 'category'] as const]) {
      for (const value of ['x', 'Very Important!', '高', 'y'.repeat(64)]) {
        const response = await call(server, { method, path, token, body: { ...body, [field]: value } })
        expect([path, response.status < 300, response.body.data[field]]).toEqual([path, true, value])
      }
    }
  })

  test('is rejected in strict mode if it is unknown, with a message that lists the known values', async () => {
    const server = await start({ validation: 'strict' })
    const { workspace, token } = await seedForEveryRoute(server)
    for (const [{ method, path, body }, field, known] of openFields(workspace.id)) {
      const rejected = await call(server, { method, path, token, body: { ...body, [field]: 'whatever' } })
      const sentence = `The ${field} field must be one of: ${known.join(', ')}.`
      expect([rejected.status, rejected.body]).toEqual([422, { message: sentence, errors: { [field]: [sentence] } }])
    }
    expect(await queued(server, workspace)).toEqual([])
  })

  test('is accepted in strict mode if it is known, null or omitted; any category is accepted', async () => {
    const server = await start({ validation: 'strict' })
    const { workspace, token } = await seedRecords(server)
    for (const [{ route, method, path, body }, field, known] of openFields(workspace.id)) {
      for (const value of [...known, null, undefined]) {
        const { status } = await call(server, { method, path, token, body: { ...body, [field]: value } })
        expect([route.operation, field, value, status]).toEqual([route.operation, field, value, successStatus(route)])
      }
    }
    const category = { method: 'POST', path: pathOf(createTicket, workspace.id), token }
    const { status } = await call(server, { ...category, body: { title: 'Broken', category: 'anything' } })
    expect(status).toBe(201)
  })
})

onEveryStore('the quirk createdStatus', (start) => {
  test('makes creations respond with 200 and changes nothing else', async () => {
    const server = await start({ createdStatus: 200 })
    const { workspace, token } = await seedForEveryRoute(server)
    for (const request of writingRequests(workspace.id)) {
      expect((await call(server, { ...request, token })).status).toBe(200)
    }
    expect(await queued(server, workspace)).toHaveLength(eventsOf(writingRequests(workspace.id)).length)
    const rejected = await call(server, { method: 'POST', path: pathOf(createTicket, workspace.id), token, body: {} })
    expect(rejected.status).toBe(422)
  })
})
