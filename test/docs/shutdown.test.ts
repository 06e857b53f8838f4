import { once } from 'node:events'
import { signedDelivery, testSecret } from '@service/webhooks/testing'
import { expect, test } from 'vitest'
import { freePort } from '../../packages/server/test/free-port.ts'
import { startProgram } from '../../packages/server/test/start-program.ts'
import { readRepoFile } from '../tooling/repo.ts'
import { fileIn } from './page.ts'
import { createProject } from './project.ts'

const receiver = fileIn(readRepoFile('docs/guides/shutdown.md'), 'receiver.mjs')

/** Work that reports its start and ends when the test says so. */
const letters = `
export const sendLetter = (title) => new Promise((resolve) => {
  process.once('message', () => {
    console.log('Sent: ' + title)
    resolve()
  })
  process.send('started')
})`

/** Starts the receiver of the page, sends it a delivery, and stops it while the letter is being sent. */
async function stopDuringDelivery(code: string) {
  const folder = await createProject({ files: { 'receiver.mjs': code, 'letters.mjs': letters } })
  const port = await freePort()
  const { child, said, firstLine } = startProgram([process.execPath, 'receiver.mjs'], {
    cwd: folder,
    env: { PORT: String(port), WEBHOOK_SECRET: testSecret },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  expect(await firstLine).toContain('Listening')
  const deliver = async () => {
    const { headers, body } = await signedDelivery('ticket.created')
    const response = await fetch(`http://127.0.0.1:${port}`, { method: 'POST', headers, body: Buffer.from(body) })
    return response.status
  }
  const started = once(child, 'message')
  const delivered = deliver()
  await started
  const exited = once(child, 'exit')
  return { child, exited, delivered, deliver, said }
}

test('the receiver of the page finishes the delivery in flight and accepts no other', async () => {
  const { child, exited, delivered, deliver, said } = await stopDuringDelivery(receiver)
  child.kill('SIGTERM')
  await expect.poll(() => deliver().catch(({ message }) => message)).toBe('fetch failed')
  child.send('finish')
  expect(await delivered).toBe(204)
  expect(await exited).toEqual([0, null])
  expect(said.stdout).toContain('Sent: ')
})

test('the receiver of the page also finishes work that outlasts its response', async () => {
  const code = receiver.replace("respondWithin: '10s'", "respondWithin: '1ms'")
  expect(code).not.toBe(receiver)
  const { child, exited, delivered, deliver, said } = await stopDuringDelivery(code)
  expect(await delivered).toBe(204)
  child.kill('SIGTERM')
  await expect.poll(() => deliver().catch(({ message }) => message)).toBe('fetch failed')
  expect(said.stdout).not.toContain('Sent: ')
  child.send('finish')
  expect(await exited).toEqual([0, null])
  expect(said.stdout).toContain('Sent: ')
})
