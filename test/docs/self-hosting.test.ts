import { spawn } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))
const page = readFileSync(`${root}docs/self-hosting.md`, 'utf8')

/** Creates a folder with an `npx` that runs the built server instead of downloading it. */
function scratch(): string {
  const folder = mkdtempSync(join(tmpdir(), 'service-hosting-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }))
  const bin = join(folder, 'bin')
  mkdirSync(bin)
  const cli = `${root}packages/server/dist/cli.js`
  writeFileSync(
    join(bin, 'npx'),
    `#!/bin/bash\n[ "$1" = --yes ] && shift\nshift\nexec ${process.execPath} ${cli} "$@"\n`,
  )
  chmodSync(join(bin, 'npx'), 0o755)
  return folder
}

const blocks = [...page.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, code = '']) => code)

/** Joins the blocks into one script that waits after each start until the server is ready, and stops it at the end. */
function toScript(port: number): string {
  const waiting = `for i in $(seq 100); do npx x healthcheck >/dev/null 2>&1 && break; sleep 0.1; done`
  const steps = blocks.map((code) => code.replace(/^.* start .*&$/m, (line) => `${line}\n${waiting}`))
  return `set -em\n${steps.join('echo --\n')}kill %% && wait\n`.replaceAll('127.0.0.1:8080', `127.0.0.1:${port}`)
}

test('every command of docs/self-hosting.md works, from the first ticket to a restored backup', async () => {
  const folder = scratch()
  const port = 20_000 + Math.floor(Math.random() * 20_000)
  const shell = spawn('bash', ['-c', toScript(port)], {
    cwd: folder,
    env: { PATH: `${folder}/bin:${process.env['PATH']}`, SERVICE_PORT: String(port), SERVICE_LOG: 'off' },
  })
  let output = ''
  for (const stream of [shell.stdout, shell.stderr]) stream.on('data', (text) => (output += text))
  const code = await new Promise((resolve) => shell.once('close', resolve))
  expect([code, output]).toEqual([0, expect.stringContaining('"title":"The printer is on fire"')])
  expect(output).toContain('"format":"service-backup-1"')
  expect(output).toMatch(/Restored first\.backup/)
  expect(output).toMatch(/The key [0-9a-f]{16} is now active/)
}, 120_000)
