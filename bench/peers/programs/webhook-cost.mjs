// What a verified and parsed delivery costs: node webhook-cost.mjs <library> <our module> <warm-up ms> <ms>
import { libraries } from './webhook-verifiers.mjs'

const [name, module, warmUpMs, measureMs] = process.argv.slice(2)
const { sign, verify } = await libraries[name]({ module })
const ticket = { id: 1, ticket_number: 'TKT-00001', title: `Zażółć gęślą jaźń – ${'the printer hums '.repeat(23)}` }
const event = { event: 'ticket.created', workspace_id: 1, timestamp: '2026-11-20T18:51:53+00:00', ticket }
const body = JSON.stringify(event)
const headers = { host: 'receiver.example', 'content-type': 'application/json', accept: '*/*', ...sign(body) }

async function verifyFor(milliseconds) {
  const endsAt = performance.now() + milliseconds
  let calls = 0
  while (performance.now() < endsAt) {
    for (let index = 0; index < 200; index += 1) {
      const seen = verify(body, headers)
      if ((seen instanceof Promise ? await seen : seen).ticket.id !== 1) throw new Error(`${name} read something else.`)
    }
    calls += 200
  }
  return calls
}

await verifyFor(Number(warmUpMs))
const before = process.cpuUsage()
const calls = await verifyFor(Number(measureMs))
const { user, system } = process.cpuUsage(before)
process.stdout.write(JSON.stringify({ cpuMicrosPerCall: (user + system) / calls }))
