import { connectClient } from './http-client.ts'
import type { Outcome, Plan } from './plan.ts'

// Runs in a process of its own, on a core of its own: in the process of the server or of the bench it would be measured
// too.

process.on('message', (plan: Plan) => {
  generate(plan).then(
    (outcome) => process.send?.(outcome),
    (fault: unknown) => {
      console.error(fault)
      process.exit(1)
    },
  )
})

async function generate({ origin, clients, seconds, requests }: Plan): Promise<Outcome> {
  const texts = requests.map((request) => ({ text: toText(request), expectedStatus: request.expectedStatus }))
  const connections = await Promise.all(Array.from({ length: clients }, () => connectClient(new URL(origin))))
  const unexpected: Record<string, number> = {}
  const startedAt = performance.now()
  const endsAt = startedAt + seconds * 1000
  let sent = 0
  const oneClient = async (ask: (text: string) => Promise<number>) => {
    while (performance.now() < endsAt) {
      const next = texts[sent++ % texts.length]
      if (next === undefined) return
      const status = await ask(next.text)
      if (status !== next.expectedStatus) unexpected[status] = (unexpected[status] ?? 0) + 1
    }
  }
  await Promise.all(connections.map(({ ask }) => oneClient(ask)))
  const took = (performance.now() - startedAt) / 1000
  for (const { close } of connections) close()
  return { requests: sent, seconds: took, unexpected }
}

/** The bytes of a request, made once: building them again for each would cost the load more than the server. */
function toText({ method, path, headers, body = '' }: Plan['requests'][number]): string {
  const all = { host: 'localhost', ...headers, ...(body === '' ? {} : { 'content-length': Buffer.byteLength(body) }) }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`)
  return `${[`${method} ${path} HTTP/1.1`, ...lines].join('\r\n')}\r\n\r\n${body}`
}
