import { Pool } from 'undici'
import type { Outcome, Plan } from './plan.ts'

// Runs in a process of its own, on a core of its own: in the process of the server or of the bench it would be measured
// too. undici's pool costs a fifth of `fetch`, so the server is the slower side.

process.on('message', (plan: Plan) => {
  generate(plan).then(
    (outcome) => process.send?.(outcome),
    (fault: unknown) => {
      console.error(fault)
      process.exit(1)
    },
  )
})

async function generate(plan: Plan): Promise<Outcome> {
  const pool = new Pool(plan.origin, { connections: plan.clients, pipelining: 1 })
  const unexpected: Record<string, number> = {}
  const startedAt = performance.now()
  const endsAt = startedAt + plan.seconds * 1000
  let sent = 0
  const oneClient = async () => {
    while (performance.now() < endsAt) {
      const request = plan.requests[sent % plan.requests.length]
      if (request === undefined) throw new RangeError('The plan has no requests.')
      sent += 1
      const { statusCode, body } = await pool.request(request)
      await body.dump()
      if (statusCode !== plan.expectedStatus) unexpected[statusCode] = (unexpected[statusCode] ?? 0) + 1
    }
  }
  await Promise.all(Array.from({ length: plan.clients }, oneClient))
  const seconds = (performance.now() - startedAt) / 1000
  await pool.close()
  return { requests: sent, seconds, unexpected }
}
