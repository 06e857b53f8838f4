import { createServer } from '@service/server'

// Modules are loaded before the clock starts: a warm process is one that has imported the server already.

async function toFirstAnswer(): Promise<number> {
  const startedAt = performance.now()
  const server = await createServer()
  const response = await server.fetch('http://platform.example/readyz')
  if (response.status !== 200) throw new Error(`/readyz answered ${response.status}.`)
  await response.text()
  const milliseconds = performance.now() - startedAt
  await server.close()
  return milliseconds
}

const firstMs = await toFirstAnswer()
const secondMs = await toFirstAnswer()
process.stdout.write(JSON.stringify({ firstMs, secondMs }))
