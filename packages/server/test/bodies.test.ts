import { successStatus } from '@service/contract'
import { expect, test } from 'vitest'
import { onEveryStore } from './on-every-store.ts'
import { seedForEveryRoute, writingRequests } from './sample-requests.ts'
import { call, queued, seedWorkspace } from './workspace.ts'

const limit = 1024 * 1024
const tooLarge = { message: `The request body must not be larger than ${limit} bytes.` }
const notJson = {
  message: 'The request body must be valid JSON in UTF-8.',
  errors: { body: ['The request body must be valid JSON in UTF-8.'] },
}

onEveryStore('every writing route', (start) => {
  test('returns 413 for a body over 1 MiB and accepts one of exactly 1 MiB', async () => {
    const server = await start()
    const { workspace, token } = await seedForEveryRoute(server)
    for (const { route, path, body } of writingRequests(workspace.id)) {
      const fitting = JSON.stringify({ ...body, padding: '' })
      const padded = (bytes: number) => fitting.replace('""}', `"${'x'.repeat(bytes - fitting.length)}"}`)
      const refused = await call(server, { method: 'POST', path, token, body: padded(limit + 1) })
      expect([refused.status, refused.body]).toEqual([413, tooLarge])
      expect((await call(server, { method: 'POST', path, token, body: padded(limit) })).status).toBe(
        successStatus(route),
      )
    }
    expect(await queued(server, workspace)).toHaveLength(2)
  })

  test('returns 415 for other content types than JSON and for a missing body', async () => {
    const server = await start()
    const { workspace, token } = await seedForEveryRoute(server)
    const types = ['text/plain', 'application/x-www-form-urlencoded', 'application/jsonp', 'text/json', '']
    for (const { path, body } of writingRequests(workspace.id)) {
      for (const type of types) {
        const answer = await call(server, { method: 'POST', path, token, body, headers: { 'content-type': type } })
        expect([type, answer.status]).toEqual([type, 415])
        expect(answer.body).toEqual({
          message: 'Send the request body as JSON with the header Content-Type: application/json.',
        })
      }
      expect((await call(server, { method: 'POST', path, token })).status).toBe(415)
    }
    expect(await queued(server, workspace)).toEqual([])
  })

  test('accepts JSON with a charset or suffix in its content type, and with a byte order mark', async () => {
    const server = await start()
    const { workspace, token } = await seedWorkspace(server)
    const request = { method: 'POST', path: `/api/v1/workspaces/${workspace.id}/tickets`, token }
    for (const type of ['application/json; charset=utf-8', 'Application/JSON', 'application/vnd.acme+json']) {
      const body = { title: 'Broken' }
      expect((await call(server, { ...request, body, headers: { 'content-type': type } })).status).toBe(201)
    }
    expect((await call(server, { ...request, body: '\uFEFF{"title":"Broken"}' })).status).toBe(201)
  })

  test('returns 422 for malformed JSON and invalid UTF-8', async () => {
    const server = await start()
    const { workspace, token } = await seedForEveryRoute(server)
    const bodies = [
      '{',
      '{"title":"Broken"',
      "{'title':'Broken'}",
      '{"title":"Broken",}',
      'title=Broken',
      'NaN',
      Uint8Array.from(Buffer.from('{"title":"Br\xf6ken"}', 'latin1')),
      Uint8Array.from([0x22, 0xc0, 0x80, 0x22]),
      Uint8Array.from(Buffer.from('{"title":"Broken"}', 'utf16le')),
    ]
    const headers = { 'content-type': 'application/json' }
    for (const { path } of writingRequests(workspace.id)) {
      for (const body of bodies) {
        const answer = await call(server, { method: 'POST', path, token, body, headers })
        expect([answer.status, answer.body]).toEqual([422, notJson])
      }
    }
    const empty = await call(server, {
      method: 'POST',
      path: `/api/v1/workspaces/${workspace.id}/tasks`,
      token,
      headers,
    })
    expect([empty.status, empty.body]).toEqual([422, notJson])
    expect(await queued(server, workspace)).toEqual([])
  })

  test('returns 422 for JSON that is not an object', async () => {
    const server = await start()
    const { workspace, token } = await seedForEveryRoute(server)
    for (const { path } of writingRequests(workspace.id)) {
      for (const body of ['[]', '[{"title":"Broken"}]', '"Broken"', '7', 'true']) {
        const answer = await call(server, { method: 'POST', path, token, body })
        expect([body, answer.status]).toEqual([body, 422])
        expect(answer.body.errors).toEqual({ body: ['The body field must be an object.'] })
      }
      const answer = await call(server, { method: 'POST', path, token, body: 'null' })
      expect(answer.body.errors).toEqual({ body: ['The body field is required.'] })
    }
  })
})
