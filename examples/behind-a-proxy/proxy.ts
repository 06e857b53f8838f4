import { once } from 'node:events'
import { createServer, request } from 'node:http'
import { pipeline } from 'node:stream'

/** Does with a request what Caddy's `reverse_proxy` does: what a visitor says of its own address is thrown away. */
export async function startProxy(target: string) {
  const proxy = createServer((incoming, outgoing) => {
    // Which visitor it is, as this machine has one address only.
    const { 'x-visitor': address = '203.0.113.1', ...headers } = incoming.headers
    const forwarded = { ...headers, 'x-forwarded-for': String(address), 'x-forwarded-proto': 'https' }
    const passed = request(new URL(incoming.url ?? '/', target), {
      method: incoming.method ?? 'GET',
      headers: forwarded,
    })
    passed.once('response', (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.rawHeaders)
      pipeline(answer, outgoing, () => undefined)
    })
    passed.once('error', () => outgoing.writeHead(502).end())
    pipeline(incoming, passed, () => undefined)
  }).listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  const address = proxy.address()
  return {
    url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`,
    close() {
      proxy.closeAllConnections()
      proxy.close()
    },
  }
}
