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
  test('may be any string of 1 to 64 characters and comes back as it was sent', async () => {
    const server = await start()
    const { workspace, token } = await seedWorkspace(server)
    for (const [route, field] of [...openFields, [createTicket, 'category'] as const]) {
      for (const value of ['x', 'Very Important!', '高', 'y'.repeat(64)]) {
        const body = { title: 'Broken', [field]: value }
        const answer = await call(server, { method: 'POST', path: pathOf(route, workspace.id), token, body })
        expect([answer.status, answer.body.data[field]]).toEqual([201, value])
      }
    }
  })

  test('is refused in strict mode when it is not known, with the known ones in the sentence', async () => {
    const server = await start({ validation: 'strict' })
    const { workspace, token } = await seedWorkspace(server)
    for (const [route, field, known] of openFields) {
      const path = pathOf(route, workspace.id)
      const body = { title: 'Broken', [field]: 'whatever' }
      const refused = await call(server, { method: 'POST', path, token, body })
      const sentence = `The ${field} field must be one of: ${known.join(', ')}.`
      expect([refused.status, refused.body]).toEqual([422, { message: sentence, errors: { [field]: [sentence] } }])
    }
    expect(await queued(server, workspace)).toEqual([])
  })

  test('is taken in strict mode when it is known, null or left out, and a category always', async () => {
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
  test('makes creates answer 200 and leaves everything else as it is', async () => {
    const server = await start({ createdStatus: 200 })
    const { workspace, token } = await seedForEveryRoute(server)
    for (const request of writingRequests(workspace.id)) {
      expect((await call(server, { ...request, token })).status).toBe(200)
    }
    expect(await queued(server, workspace)).toHaveLength(2)
    const refused = await call(server, { method: 'POST', path: pathOf(createTicket, workspace.id), token, body: {} })
    expect(refused.status).toBe(422)
  })
})
