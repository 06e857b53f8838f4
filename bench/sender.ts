import { createHmac, randomUUID } from 'node:crypto'
import { Pool } from 'undici'

// The floor for deliveries: sends 64 signed requests at a time with undici's pool, without leases or records.
// Usage: node sender.ts <receiver URL>

const [receiver = ''] = process.argv.slice(2)
const inFlight = 64
const pool = new Pool(receiver, { connections: inFlight })
const ticket = { id: 1, ticket_number: 'TKT-00001', title: 'The invoice export', status: 'open', priority: 'high' }
const event = { event: 'ticket.created', workspace_id: 1, timestamp: '2026-11-20T18:51:53+00:00', ticket }

async function send(): Promise<never> {
  for (;;) {
    const body = JSON.stringify(event)
    const headers = {
      'content-type': 'application/json',
      'x-service-event': 'ticket.created',
      'x-service-signature': createHmac('sha256', 'a secret of a subscription').update(body).digest('hex'),
      'x-service-delivery': randomUUID(),
    }
    const answer = await pool.request({ path: '/', method: 'POST', headers, body })
    await answer.body.dump()
  }
}

console.log(JSON.stringify({ base_url: receiver }))
process.once('SIGTERM', () => process.exit())
await Promise.all(Array.from({ length: inFlight }, send))
