// Run by state.test.ts in a separate process: restores a snapshot and verifies a delivery with its secret.
import { createHmac } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { createTestServer } from '../../dist/testing.js'

const [, , file, secret] = process.argv
await using server = await createTestServer()
await server.restore(await readFile(file))
let verified = false
server.webhooks.receive('https://app.test/in', async (request) => {
  const body = Buffer.from(await request.arrayBuffer())
  verified = request.headers.get('x-service-signature') === createHmac('sha256', secret).update(body).digest('hex')
  return new Response(null, { status: 204 })
})
const titles = (await server.admin.tickets.list({ workspace: 1 })).data.map(({ title }) => title)
await server.create.ticket()
await server.settled()
process.stdout.write(JSON.stringify({ titles, verified }))
