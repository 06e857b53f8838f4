import { once } from 'node:events'
import { createServer, request } from 'node:http'
import { pipeline } from 'node:stream'

/** A proxy that, like Caddy's `reverse_proxy`, ignores the `X-Forwarded-For` header of visitors. */
export async function startProxy(target: string) {
  const proxy = createServer((incoming, outgoing) => {
    // A test header selects the visitor's address, because all test requests come from this machine.
    const { 'x-visitor': address = '203.0.113.1', ...headers } = incoming.headers
    const forwarded = { ...headers, 'x-forwarded-for': String(address), 'x-forwarded-proto': 'https' }
    const upstream = request(new URL(incoming.url ?? '/', target), {
      method: incoming.method ?? 'GET',
      headers: forwarded,
    })
    upstream.once('response', (response) => {
      outgoing.writeHead(response.statusCode ?? 502, response.rawHeaders)
      pipeline(response, outgoing, () => undefined)
    })
    upstream.once('error', () => outgoing.writeHead(502).end())
    pipeline(incoming, upstream, () => undefined)
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
