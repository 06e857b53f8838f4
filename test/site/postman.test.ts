import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { apiRoutes, successStatus } from '@service/contract'
import { apiDocs } from '@service/contract/docs'
import { createTestServer } from '@service/server/testing'
import { expect, test } from 'vitest'

// Sends the requests of the built collection as Postman does. Run `pnpm docs:build` first.

interface Pair {
  readonly key: string
  readonly value: string
}
interface PostmanRequest {
  readonly method: string
  readonly url: { readonly path: readonly string[]; readonly variable: readonly Pair[] }
  readonly header: readonly (Pair & { readonly disabled?: boolean })[]
  readonly auth?: { readonly type: string } | null
  readonly body?: { readonly raw?: string }
}
interface Collection {
  readonly variable: readonly Pair[]
  readonly item: readonly {
    readonly name: string
    readonly item: readonly { readonly name: string; readonly request: PostmanRequest }[]
  }[]
}

const built = (name: string) => fileURLToPath(new URL(`../../docs/.vitepress/dist/${name}`, import.meta.url))
const readCollection = (name: string): Collection => JSON.parse(readFileSync(built(name), 'utf8'))

test('the requests of the Postman collection succeed as they are, again and again', async () => {
  const { item: folders, variable } = readCollection('postman.json')
  expect(variable.map(({ key }) => key)).toEqual(['baseUrl', 'bearerToken'])
  await using server = await createTestServer({ seed: 'demo' })
  const { token } = server.seeded
  let lastId = '' // of a record that an earlier request has shown, which a user of Postman enters
  const sentValue = ({ key, value }: Pair) => (key === 'id' ? lastId : value)
  const send = async ({ method, url, header, auth, body }: PostmanRequest) => {
    const values = new Map(url.variable.map((pair) => [`:${pair.key}`, sentValue(pair)]))
    const path = url.path.map((part) => values.get(part) ?? part).join('/')
    const headers = new Headers(header.filter(({ disabled }) => !disabled).map(({ key, value }) => [key, value]))
    if (auth?.type === 'bearer') headers.set('authorization', `Bearer ${token}`)
    const response = await server.fetch(`${server.origin}/${path}`, { method, headers, body: body?.raw ?? null })
    const [record] = [(await response.json()).data].flat()
    lastId = String(record?.id ?? lastId)
    return response.status
  }
  const requests = folders
    .filter(({ name }) => ['Tickets', 'Tasks', 'Projects'].includes(name))
    .flatMap(({ item }) => item)
  const statuses: [name: string, status: number][] = []
  for (const { name, request } of [...requests, ...requests]) statuses.push([name, await send(request)])
  const expected = apiRoutes
    .filter(({ operation }) => /^(?:tickets|tasks|projects)\./.test(operation))
    .map((route) => [apiDocs[route.operation].summary, successStatus(route)])
  expect(statuses).toEqual([...expected, ...expected])
  const tickets = await server.fetch(`${server.origin}/api/v1/workspaces/1/tickets`, {
    headers: { authorization: `Bearer ${token}` },
  })
  expect((await tickets.json()).data).toHaveLength(3)
})

test('the Postman collection of administration has a request for every operation', () => {
  const { paths }: { paths: Readonly<Record<string, object>> } = JSON.parse(
    readFileSync(built('admin-openapi.json'), 'utf8'),
  )
  const operations = Object.values(paths).flatMap((item) => Object.keys(item))
  expect(readCollection('admin-postman.json').item.flatMap(({ item }) => item)).toHaveLength(operations.length)
})
