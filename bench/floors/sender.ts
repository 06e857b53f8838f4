import { createHmac, randomUUID } from 'node:crypto'
import { createRequire } from 'node:module'
import { sampleBody } from '../outbound/backlog.ts'

// The floor of sending: 64 requests in flight over the bare pool of undici, each signed; nothing is claimed or recorded.

/** What is used of undici, which is a dependency of the server and not of the bench. */
interface Pool {
  request(request: object): Promise<{ readonly body: { dump(): Promise<void> } }>
  close(): Promise<void>
}

const undici: { Pool: new (origin: string, options: { connections: number }) => Pool } = createRequire(
  new URL('../../packages/server/package.json', import.meta.url),
)('undici')
const inFlight = 64
const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`

const [receiverUrl = ''] = process.argv.slice(2)
const pool = new undici.Pool(receiverUrl, { connections: inFlight })
let stopped = false
process.once('SIGTERM', () => {
  stopped = true
})
console.log(JSON.stringify({ event: 'ready', base_url: receiverUrl }))
await Promise.all(Array.from({ length: inFlight }, (_, index) => send(index)))
await pool.close()

async function send(index: number): Promise<void> {
  for (let turn = index; !stopped; turn += inFlight) {
    const body = Buffer.from(sampleBody(turn))
    const headers = {
      'content-type': 'application/json',
      'X-Service-Event': 'ticket.created',
      'X-Service-Signature': createHmac('sha256', secret).update(body).digest('hex'),
      'X-Service-Delivery': randomUUID(),
    }
    const { body: answer } = await pool.request({ path: '/', method: 'POST', headers, body })
    await answer.dump()
  }
}
