import { execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, inject, onTestFinished, test } from 'vitest'
import { freePort } from '../../packages/server/test/free-port.ts'

declare module 'vitest' {
  interface ProvidedContext {
    postgresUrl: string
  }
}

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

const blocksOf = (language: string) =>
  Array.from(page.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'gms')), ([, code = '']) => code)

/** Joins blocks into one script that waits after each start until the server is ready, and stops it at the end. */
function toScript(blocks: readonly string[], port: number): string {
  const waiting = `for i in $(seq 100); do npx x healthcheck >/dev/null 2>&1 && break; sleep 0.1; done`
  const steps = blocks.map((code) => code.replace(/^.* start .*&$/m, (line) => `${line}\n${waiting}`))
  return `set -em\n${steps.join('echo --\n')}kill %% && wait\n`.replaceAll('127.0.0.1:8080', `127.0.0.1:${port}`)
}

/** Runs blocks as one reader does, in one shell. */
async function runScript(folder: string, blocks: readonly string[]) {
  const port = await freePort()
  const shell = spawn('bash', ['-c', toScript(blocks, port)], {
    cwd: folder,
    env: { PATH: `${folder}/bin:${process.env['PATH']}`, SERVICE_PORT: String(port), SERVICE_LOG: 'off' },
  })
  let output = ''
  for (const stream of [shell.stdout, shell.stderr]) stream.on('data', (text) => (output += text))
  const code = await new Promise((resolve) => shell.once('close', resolve))
  return { code, output }
}

test('every command of docs/self-hosting.md works, from the first ticket to a restored backup', async () => {
  const { code, output } = await runScript(scratch(), blocksOf('sh'))
  expect([code, output]).toEqual([0, expect.stringContaining('"title":"The printer is on fire"')])
  expect(output).toContain('"format":"service-backup-1"')
  expect(output).toMatch(/Restored first\.backup/)
  expect(output).toMatch(/The key [0-9a-f]{16} is now active/)
}, 120_000)

/** A `sudo -u postgres` that runs the commands of PostgreSQL on the server of the tests. */
const sudoFor = (url: string) => `#!${process.execPath}
const { Client } = require('${root}packages/server/node_modules/pg')
const [command, , owner] = process.argv.slice(4)
const name = process.argv.at(-1)
const client = new Client('${url}')
const sql = {
  createuser: \`create role \${name} login password 'password'\`,
  createdb: \`create database \${name} owner \${owner}\`,
  dropdb: \`drop database if exists \${name} with (force)\`,
  dropuser: \`drop role if exists \${name}\`,
}
client.connect().then(() => client.query(sql[command])).finally(() => client.end())
`

test('every command for PostgreSQL works in this order, and the restored platform has the ticket', async () => {
  const postgres = new URL(inject('postgresUrl'))
  const name = `host_${randomBytes(8).toString('hex')}`
  const folder = scratch()
  const sudo = join(folder, 'bin', 'sudo')
  writeFileSync(sudo, sudoFor(postgres.href), { mode: 0o755 })
  onTestFinished(() => {
    for (const command of [`dropdb ${name}`, `dropdb ${name}2`, `dropuser ${name}`])
      execFileSync(sudo, ['-u', 'postgres', ...command.split(' ')])
  })
  const [create = '', restore = ''] = blocksOf('bash')
  const [, setup = '', backup = ''] = blocksOf('sh')
  const list = 'curl -s http://127.0.0.1:8080/api/v1/workspaces/1/tickets -H "Authorization: Bearer $TOKEN"\n'
  const blocks = [create, setup, backup, restore, list].map((code) =>
    code.replaceAll(/(?<=\s|\/)service(?=2?[\s:])/g, name).replaceAll('@127.0.0.1/', `@${postgres.host}/`),
  )
  const { code, output } = await runScript(folder, blocks)
  expect([code, output.match(/"title":"The printer is on fire"/g)]).toEqual([0, Array(2).fill(expect.anything())])
  expect(output).toMatch(/Restored first\.backup/)
}, 120_000)
