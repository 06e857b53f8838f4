import { fullPath, inboundRoutes } from '@service/contract'
import { expect, test } from 'vitest'
import { createServer } from '../../src/index.ts'
import { startOpenSite } from './inbound-site.ts'

const names: Readonly<Record<string, string>> = { provider: 'github', source: 'website' }

test.each(inboundRoutes)(
  'the refusals and pings of $operation are those of the examples of /openapi.json',
  async (route) => {
    const { server, secrets, workspaceId } = await startOpenSite(createServer)
    const ask = async (method: string, workspace: number, body: string | null) => {
      const path = fullPath(route).replace(/\{(\w+)\}/g, (_, name) => names[name] ?? String(workspace))
      const secret = route.operation.startsWith('leads')
        ? secrets.leads['website']
        : secrets[route.operation.split('.')[0] as 'errors']
      const headers = {
        'content-type': 'application/json',
        'x-github-event': 'push',
        'x-service-webhook-secret': secret ?? '',
      }
      const response = await server.fetch(`http://platform.test${path}`, { method, headers, body })
      return { status: response.status, body: await response.json() }
    }
    const document = await (await server.fetch('http://platform.test/openapi.json')).json()
    const { responses } = document.paths[fullPath(route)][route.method.toLowerCase()]
    const exampleOf = (status: number, name: string) =>
      responses[status].content['application/json'].examples[name].value

    expect(await ask(route.method, 99, route.method === 'GET' ? null : '{}')).toEqual({
      status: 404,
      body: exampleOf(404, 'no-workspace'),
    })
    if (route.method === 'POST') {
      expect(await ask('POST', workspaceId, '{')).toEqual({ status: 422, body: exampleOf(422, 'malformed-json') })
      return
    }
    const { body } = await ask('GET', workspaceId, null)
    const example = exampleOf(200, 'ready')
    expect(Object.keys(body)).toEqual(expect.arrayContaining(Object.keys(example)))
    expect([body.message, body.note]).toEqual([example.message, example.note])
  },
)
