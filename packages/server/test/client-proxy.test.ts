import { createServer, request as forward } from 'node:http'
import { createClient } from '@service/client'
import { ProxyAgent, fetch as undiciFetch } from 'undici'
import { expect, onTestFinished, test } from 'vitest'
import { createTestServer } from '../src/testing/entries/testing.ts'
import { freePort } from './free-port.ts'
import { listenInTest } from './listen-in-test.ts'

/** A proxy that counts the requests that it forwards. */
async function startProxy() {
  let forwarded = 0
  const proxy = createServer((incoming, response) => {
    forwarded += 1
    const { url = '', method, headers } = incoming
    const outgoing = forward(url, { method, headers }, (received) => {
      response.writeHead(received.statusCode ?? 502, received.headers)
      received.pipe(response)
    })
    incoming.pipe(outgoing)
  })
  return { url: `http://127.0.0.1:${await listenInTest(proxy)}`, forwarded: () => forwarded }
}

test('the client sends through a proxy with the recipe of the documentation', async () => {
  const server = await createTestServer({ seed: 'demo' })
  onTestFinished(() => server.close())
  const { url } = await server.listen()
  const proxy = await startProxy()
  const dispatcher = new ProxyAgent({ uri: proxy.url, proxyTunnel: false })
  onTestFinished(() => dispatcher.close())
  const { token = '', workspace = 0 } = server.seeded
  const client = createClient({
    baseUrl: `${url}/api/v1`,
    token,
    workspace,
    // `as never`: undici declares its own types of fetch. The built-in one accepts only its own version's dispatchers.
    fetch: undiciFetch as never,
    fetchOptions: { dispatcher },
  })
  const { title } = await client.tickets.create({ title: 'Sent through the proxy' })
  expect(title).toBe('Sent through the proxy')
  expect(await client.tickets.list()).toContainEqual(expect.objectContaining({ title }))
  expect(proxy.forwarded()).toBe(2)
})

test('a NetworkError names the address of the proxy that cannot be reached', async () => {
  const proxy = `127.0.0.1:${await freePort()}`
  const messageWith = async (uri: string) => {
    const dispatcher = new ProxyAgent(uri)
    onTestFinished(() => dispatcher.close())
    const client = createClient({
      baseUrl: 'https://platform.example/api/v1',
      token: 'service_1_a',
      workspace: 1,
      maxRetries: 0,
      fetch: undiciFetch as never, // as above
      fetchOptions: { dispatcher },
    })
    return client.tickets.list().catch(String)
  }
  const noAnswer = 'GET /workspaces/{workspace}/tickets got no answer from platform.example'
  expect(await messageWith(`http://${proxy}`)).toContain(`${noAnswer} (refused, ECONNREFUSED, ${proxy}).`)
  expect(await messageWith('http://proxy.invalid:3128')).toMatch(
    /platform\.example \(dns, E[A-Z_]+, proxy\.invalid\)\.$/,
  )
})
