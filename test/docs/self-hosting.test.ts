import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { expect, inject, onTestFinished, test } from 'vitest'
import { freePort } from '../../packages/server/test/free-port.ts'
import { readRepoFile, repoRoot } from '../tooling/repo.ts'
import { codeIn } from './page.ts'
import { createProject, runShell } from './project.ts'

declare module 'vitest' {
  interface ProvidedContext {
    postgresUrl: string
  }
}

const page = readRepoFile('docs/self-hosting.md')
const npx = '[ "$1" = --yes ] && shift; shift; exec service-server "$@"'

/** Joins blocks into one script that waits after each start until the server is ready, and stops it at the end. */
function toScript(blocks: readonly string[], port: number): string {
  const waiting = `for i in $(seq 100); do npx x healthcheck >/dev/null 2>&1 && break; sleep 0.1; done`
  const steps = blocks.map((code) => code.replace(/^.* start .*&$/m, (line) => `${line}\n${waiting}`))
  return `set -em\n${steps.join('echo --\n')}kill %% && wait\n`.replaceAll('127.0.0.1:8080', `127.0.0.1:${port}`)
}

/** Runs blocks as one reader does, in one shell. */
async function runScript(folder: string, blocks: readonly string[]) {
  const port = await freePort()
  return runShell(toScript(blocks, port), { folder, env: { SERVICE_PORT: String(port), SERVICE_LOG: 'off' } })
}

test('every command of docs/self-hosting.md works, from the first ticket to a restored backup', async () => {
  const output = await runScript(await createProject({ commands: { npx } }), codeIn(page, 'sh'))
  expect(output).toContain('"title":"The printer is on fire"')
  expect(output).toContain('"format":"service-backup-1"')
  expect(output).toMatch(/Restored first\.backup/)
  expect(output).toMatch(/The key [0-9a-f]{16} is now active/)
}, 120_000)

/** A `sudo -u postgres` that runs the commands of PostgreSQL on the server of the tests. */
const sudoFor = (url: string) => `
const { Client } = require('${repoRoot}packages/server/node_modules/pg')
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
  const files = { 'sudo.cjs': sudoFor(postgres.href) }
  const folder = await createProject({ files, commands: { npx, sudo: 'exec node "$(dirname "$0")/../sudo.cjs" "$@"' } })
  onTestFinished(() => {
    for (const command of [`dropdb ${name}`, `dropdb ${name}2`, `dropuser ${name}`])
      execFileSync(process.execPath, [join(folder, 'sudo.cjs'), '-u', 'postgres', ...command.split(' ')])
  })
  const [create = '', restore = ''] = codeIn(page, 'bash')
  const [, setup = '', backup = ''] = codeIn(page, 'sh')
  const list = 'curl -s http://127.0.0.1:8080/api/v1/workspaces/1/tickets -H "Authorization: Bearer $TOKEN"\n'
  const blocks = [create, setup, backup, restore, list].map((code) =>
    code.replaceAll(/(?<=\s|\/)service(?=2?[\s:])/g, name).replaceAll('@127.0.0.1/', `@${postgres.host}/`),
  )
  const output = await runScript(folder, blocks)
  expect(output.match(/"title":"The printer is on fire"/g)).toHaveLength(2)
  expect(output).toMatch(/Restored first\.backup/)
}, 120_000)
