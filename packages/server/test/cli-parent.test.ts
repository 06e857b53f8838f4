import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { expect, onTestFinished, test } from 'vitest'
import { cliPath, runCli } from './cli-process.ts'
import { freshDirectory } from './fresh-directory.ts'

const double = ['start', '--demo', '--test-controls', '--port', '0', '--json']

/** A process that starts a command with a pipe as standard input and its own standard output, and then waits. */
const parentScript = `
  const [, command, ...words] = process.argv
  require('node:child_process').spawn(process.execPath, [command, ...words], { stdio: ['pipe', 'inherit', 'ignore'] })
  setInterval(() => {}, 1000)`

function startParent(words: readonly string[]) {
  const parent = spawn(process.execPath, ['-e', parentScript, cliPath, ...words], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void parent.kill('SIGKILL'))
  // Both processes write to this pipe, so it closes when the last one has ended.
  return { parent, lines: createInterface({ input: parent.stdout }), allEnded: once(parent, 'close') }
}

async function readyOf({ lines }: ReturnType<typeof startParent>) {
  const [line] = await once(lines, 'line')
  const ready: {
    readonly base_url: string
    readonly admin_url: string
    readonly admin_token: string
    readonly pid: number
  } = JSON.parse(String(line))
  onTestFinished(() => kill(ready.pid))
  return ready
}

/** The process may have ended. */
function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (fault) {
    if (!(fault instanceof Error && 'code' in fault && fault.code === 'ESRCH')) throw fault
  }
}

const killed = async (parent: ChildProcess) => {
  parent.kill('SIGKILL')
  await once(parent, 'exit')
}

test('start --exit-with-parent ends when its parent is killed', async () => {
  const started = startParent([...double, '--exit-with-parent'])
  const { base_url } = await readyOf(started)
  expect((await fetch(new URL('/livez', base_url))).status).toBe(200)
  await killed(started.parent)
  expect(await started.allEnded).toEqual([null, 'SIGKILL'])
})

test('listen --exit-with-parent removes its subscription when its parent is killed', async () => {
  const platform = runCli(double)
  const { admin_url, admin_token, workspace } = JSON.parse(await platform.firstLine)
  const subscriptions = async () => {
    const headers = { authorization: `Bearer ${admin_token}` }
    const answer = await fetch(`${admin_url}/workspaces/${workspace}/webhooks`, { headers })
    const { data } = (await answer.json()) as { data: { description: string }[] }
    return data.filter(({ description }) => description === 'service-server listen').length
  }
  const connection = [
    '--url',
    new URL(admin_url).origin,
    '--admin-token',
    admin_token,
    '--workspace',
    String(workspace),
  ]
  const words = ['listen', '--forward-to', 'http://127.0.0.1:9/', '--json', '--data', await freshDirectory()]
  const started = startParent([...words, ...connection, '--exit-with-parent'])
  await once(started.lines, 'line')
  expect(await subscriptions()).toBe(1)
  await killed(started.parent)
  await started.allEnded
  expect(await subscriptions()).toBe(0)
})

test('without the option, the platform outlives its parent', async () => {
  const started = startParent(double)
  const { base_url, pid } = await readyOf(started)
  await killed(started.parent)
  for (let asked = 0; asked < 20; asked += 1)
    expect((await fetch(new URL('/livez', base_url))).status, `request ${asked}`).toBe(200)
  process.kill(pid, 'SIGTERM')
  await started.allEnded
})

test.for([
  ['start', ...double.slice(1)],
  ['listen', '--forward-to', 'http://127.0.0.1:9/'],
])('%s refuses --exit-with-parent without a pipe', async (words) => {
  const { ended, said } = runCli([...words, '--exit-with-parent'])
  expect(await ended).toBe(2)
  expect(said.stderr).toContain('--exit-with-parent requires a pipe as standard input')
})
