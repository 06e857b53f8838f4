import { createTask, createTicket, priorities, type Route, taskStatuses } from '@service/contract'
import { expect, test } from 'vitest'
import { onEveryStore } from './on-every-store.ts'
import { seedForEveryRoute, writingRequests } from './sample-requests.ts'
import { call, pathOf, queued, seedWorkspace } from './workspace.ts'

const openFields: readonly (readonly [Route, string, readonly string[]])[] = [
  [createTicket, 'priority', priorities],
  [createTask, 'priority', priorities],
  [createTask, 'status', taskStatuses],
]

onEveryStore('a value of an open list', (start) => {
  test('may be any string of 1 to 64 characters and is returned unchanged', async () => {
    const server = await start()
    const { workspace, token } = await seedWorkspace(server)
    for (const [route, field] of [...openFields, [createTicket, 'category'] as const]) {
      for (const value of ['x', 'Very Important!', '高', 'y'.repeat(64)]) {
        const body = { title: 'Broken', [field]: value }
        const response = await call(server, { method: 'POST', path: pathOf(route, workspace.id), token, body })
        expect([response.status, response.body.data[field]]).toEqual([201, value])
      }
    }
  })

  test('is rejected in strict mode if it is unknown, with a message that lists the known values', async () => {
    const server = await start({ validation: 'strict' })
    const { workspace, token } = await seedWorkspace(server)
    for (const [route, field, known] of openFields) {
      const path = pathOf(route, workspace.id)
      const body = { title: 'Broken', [field]: 'whatever' }
      const rejected = await call(server, { method: 'POST', path, token, body })
      const sentence = `The ${field} field must be one of: ${known.join(', ')}.`
      expect([rejected.status, rejected.body]).toEqual([422, { message: sentence, errors: { [field]: [sentence] } }])
    }
    expect(await queued(server, workspace)).toEqual([])
  })

  test('is accepted in strict mode if it is known, null or omitted; any category is accepted', async () => {
    const server = await start({ validation: 'strict' })
    const { workspace, token } = await seedWorkspace(server)
    for (const [route, field, known] of openFields) {
      for (const value of [...known, null, undefined]) {
        const body = { title: 'Broken', [field]: value }
        const { status } = await call(server, { method: 'POST', path: pathOf(route, workspace.id), token, body })
        expect([route.operation, field, value, status]).toEqual([route.operation, field, value, 201])
      }
    }
    const body = { title: 'Broken', category: 'anything' }
    expect((await call(server, { method: 'POST', path: pathOf(createTicket, workspace.id), token, body })).status).toBe(
      201,
    )
  })
})

onEveryStore('the quirk createdStatus', (start) => {
  test('makes creations respond with 200 and changes nothing else', async () => {
    const server = await start({ createdStatus: 200 })
    const { workspace, token } = await seedForEveryRoute(server)
    for (const request of writingRequests(workspace.id)) {
      expect((await call(server, { ...request, token })).status).toBe(200)
    }
    expect(await queued(server, workspace)).toHaveLength(2)
    const rejected = await call(server, { method: 'POST', path: pathOf(createTicket, workspace.id), token, body: {} })
    expect(rejected.status).toBe(422)
  })
})
