import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runCli } from '../../packages/server/test/cli-process.ts'
import { readRepoFile } from '../tooling/repo.ts'
import { codeIn } from './page.ts'
import { createProject, runShell } from './project.ts'

/** The shell commands of a page, without its other code. */
const commandsOf = (page: string) => codeIn(readRepoFile(`docs/${page}`), 'sh')

/** A platform on a free port, and a shell in its folder in which `service-server` is installed. */
async function openPlatform(...options: readonly string[]) {
  const command = 'exec node_modules/.bin/service-server "$@" --data .data'
  const folder = await createProject({ commands: { 'service-server': command } })
  const { firstLine } = runCli(['start', ...options, '--json', '--port', '0', '--data', join(folder, '.data')])
  const { base_url }: { base_url: string } = JSON.parse(await firstLine)
  const { origin } = new URL(base_url)
  const TOKEN = readFileSync(join(folder, '.data/admin-token'), 'utf8').trim()

  /** Runs commands until one fails; returns what they printed. */
  const paste = (commands: string) =>
    runShell(
      `set -eo pipefail\n${commands.replaceAll('http://127.0.0.1:8080', origin).replaceAll('curl -s', 'curl -sS --fail-with-body')}`,
      { folder, env: { TOKEN, NO_COLOR: '1' } },
    )

  /** Sends a body to an integration of the demo company; returns the number of its stored delivery. */
  async function send(integration: string, body: object): Promise<string> {
    const credentials = JSON.parse(readFileSync(join(folder, '.data/demo-credentials.json'), 'utf8'))
    const response = await fetch(`${origin}/api/webhooks/1/${integration}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-service-webhook-secret': credentials.secrets[integration] },
      body: JSON.stringify(body),
    })
    await response.text()
    const list = `service-server inbound-delivery list --workspace 1 --integration ${integration} --limit 1 --json`
    return String(JSON.parse(await paste(list)).data[0].id)
  }
  return { folder, paste, send }
}

test('the commands of docs/guides/mapping.md correct a misread report', async () => {
  const { folder, paste, send } = await openPlatform('--demo')
  const misread = { svc: { id: 'shop' }, level: 'error', msg: 'Job failed', data: { grund: { text: 'No stock left' } } }
  const [commands = '', calls = ''] = commandsOf('guides/mapping.md')
  const [draft = ''] = codeIn(readRepoFile('docs/guides/mapping.md'), 'json')
  writeFileSync(join(folder, 'draft.json'), draft)
  const first = await send('errors', misread)
  const printed = await paste(
    commands.replaceAll('delivery 9', `delivery ${first}`).replace('replay 9', `replay ${first}`),
  )
  expect(printed).toContain('No stock left')
  const second = await send('errors', { ...misread, data: { grund: { text: 'Card declined' } } })
  expect(await paste(calls.replace('deliveries/9/', `deliveries/${second}/`))).toMatch(
    /"ticket_id":\d+,"lead_id":null,"changed":/,
  )
})

test('the commands of docs/guides/attendance.md replay a refused punch, and add, change, and delete punches', async () => {
  const { paste, send } = await openPlatform('--demo')
  const [replay = '', correct = ''] = commandsOf('guides/attendance.md')
  const refused = await send('attendance', {
    employee_code: 'NEW-1',
    external_device_id: 'DEMO-DOOR-1',
    direction: 'in',
  })
  const employee = 'service-server employee list --workspace 1 --limit 1 --json'
  const { id } = JSON.parse(await paste(employee)).data[0]
  await paste(`service-server employee update ${id} --workspace 1 --employee-code NEW-1`)
  const replayed = await paste(
    replay.replace('delivery 9', `delivery ${refused}`).replace('replay 9', `replay ${refused}`),
  )
  expect(replayed).toMatch(/check_in|check_out/)
  const { id: punch } = JSON.parse(await paste(`service-server punch list --workspace 1 --limit 1 --json`)).data[0]
  // A terminal asks before the deletion.
  const corrected = await paste(
    correct
      .replace('--employee 8', `--employee ${id}`)
      .replaceAll(/ 311 /g, ` ${punch} `)
      .replace('punch delete', 'punch delete --yes'),
  )
  expect(corrected).toContain('Forgot to clock out')
})

test('the commands of docs/administration.md create, test, and recover a subscription', async () => {
  const { paste } = await openPlatform()
  const [commands = ''] = commandsOf('administration.md')
  await paste('service-server workspace create --name Acme')
  expect(await paste(commands)).toContain('whsec_')
})
