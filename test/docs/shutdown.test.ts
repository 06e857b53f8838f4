import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { signedDelivery, testSecret } from '@service/webhooks/testing'
import { expect, onTestFinished, test } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))
const page = readFileSync(`${root}docs/guides/shutdown.md`, 'utf8')
const receiver = page.split('title="receiver.mjs"\n')[1]?.split('\n```')[0] ?? ''

/** Work that reports its start and ends when the test says so. */
const letters = `
export const sendLetter = (title) => new Promise((resolve) => {
  process.once('message', () => {
    console.log('Sent: ' + title)
    resolve()
  })
  process.send('started')
})`

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  return typeof address === 'object' && address !== null ? address.port : 0
}

/** Starts the receiver of the page, sends it a delivery, and stops it while the letter is being sent. */
async function stopDuringDelivery(code: string) {
  const folder = mkdtempSync(join(tmpdir(), 'service-shutdown-'))
  mkdirSync(join(folder, 'node_modules/@service'), { recursive: true })
  symlinkSync(`${root}packages/webhooks`, join(folder, 'node_modules/@service/webhooks'))
  writeFileSync(join(folder, 'receiver.mjs'), code)
  writeFileSync(join(folder, 'letters.mjs'), letters)
  const port = await freePort()
  const child = spawn(process.execPath, ['receiver.mjs'], {
    cwd: folder,
    env: { PORT: String(port), WEBHOOK_SECRET: testSecret },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  onTestFinished(async () => {
    child.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 })
  })
  let output = ''
  child.stdout?.on('data', (text) => (output += text))
  await expect.poll(() => output).toContain('Listening')
  const deliver = async () => {
    const { headers, body } = await signedDelivery('ticket.created')
    const response = await fetch(`http://127.0.0.1:${port}`, { method: 'POST', headers, body: Buffer.from(body) })
    return response.status
  }
  const started = once(child, 'message')
  const delivered = deliver()
  await started
  const exited = once(child, 'exit')
  return { child, exited, delivered, deliver, output: () => output }
}

test('the receiver of the page finishes the delivery in flight and accepts no other', async () => {
  const { child, exited, delivered, deliver, output } = await stopDuringDelivery(receiver)
  child.kill('SIGTERM')
  await expect.poll(() => deliver().catch(({ message }) => message)).toBe('fetch failed')
  child.send('finish')
  expect(await delivered).toBe(204)
  expect(await exited).toEqual([0, null])
  expect(output()).toContain('Sent: ')
})

test('the receiver of the page also finishes work that outlasts its response', async () => {
  const code = receiver.replace("respondWithin: '10s'", "respondWithin: '1ms'")
  expect(code).not.toBe(receiver)
  const { child, exited, delivered, deliver, output } = await stopDuringDelivery(code)
  expect(await delivered).toBe(204)
  child.kill('SIGTERM')
  await expect.poll(() => deliver().catch(({ message }) => message)).toBe('fetch failed')
  expect(output()).not.toContain('Sent: ')
  child.send('finish')
  expect(await exited).toEqual([0, null])
  expect(output()).toContain('Sent: ')
})
