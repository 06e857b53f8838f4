/** Starts the built application and prints what each router shows, and what the platform got for it. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import process from 'node:process'
import { createInterface } from 'node:readline'
import { createTestServer } from '@service/server/testing'
import { testSecret } from '@service/webhooks/testing'

const platform = await createTestServer()
const { token } = await platform.tokens.issue()
const { url } = await platform.listen()
platform.faults.add({ match: { operation: 'projects.list' }, respond: { status: 503 } })

const next = spawn(
  process.execPath,
  ['node_modules/next/dist/bin/next', 'start', '--port', '0', '--hostname', '127.0.0.1'],
  {
    env: { ...process.env, SERVICE_URL: `${url}/api/v1`, SERVICE_TOKEN: token, WEBHOOK_SECRET: testSecret },
    stdio: ['ignore', 'pipe', 'inherit'],
  },
)

async function originOf(child) {
  for await (const line of createInterface(child.stdout)) {
    const origin = /http:\/\/[\w.]+:\d+/.exec(line)?.[0]
    if (origin !== undefined) return origin
  }
  throw new Error('Next.js exited before it was ready.')
}

try {
  const origin = await originOf(next)
  next.stdout.resume()
  const printed = {}
  for (const path of ['server-component', 'edge', 'pages-router']) {
    platform.journal.clear()
    const html = await (await fetch(`${origin}/${path}`)).text()
    const [, added, attempts] = /data-added="(\d+)" data-attempts="(\d+)"/.exec(html) ?? []
    printed[path] = { added: Number(added), attempts: Number(attempts), sent: platform.journal.entries().length }
  }
  for (const path of ['webhooks', 'api/webhooks']) {
    const { status } = await fetch(`${origin}/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{}',
    })
    printed[path] = status
  }
  process.stdout.write(JSON.stringify(printed))
} finally {
  const exited = once(next, 'exit')
  next.kill()
  await exited
  await platform.close()
}
