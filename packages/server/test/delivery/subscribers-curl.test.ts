import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { toCurl } from '../../src/modules/webhooks/delivery-log-service.ts'
import { onEveryStore } from '../on-every-store.ts'
import { newestDelivery } from './newest-delivery.ts'
import { sendingOptions, subscribe } from './subscribed.ts'

/** Runs a script that a shell reads from its input, because an argument has a limit. */
async function runIn(shell: string, script: string): Promise<string> {
  const running = promisify(execFile)(shell, [])
  running.child.stdin?.end(script)
  return (await running).stdout
}

/** The arguments and the input that curl would get: a shell parses the command, with a function in place of curl. */
async function readCommand(command: string): Promise<string[]> {
  return (await runIn('sh', `curl() { printf '%s\\0' "$@"; cat; }\n${command}`)).split('\0')
}

onEveryStore('the curl command of a delivery', (start) => {
  test.each(['sh', 'bash'])(
    'sends in %s a request that every library verifies, with any event content, and does not count as an attempt',
    async (shell) => {
      const options = sendingOptions()
      const server = await start(options)
      const { receiver, workspace } = await subscribe(server)
      const title = `It's "so" \\ $(touch x) \`y\` %s\n„ß“ 🎉`
      await server.admin.tickets.create({ workspace: workspace.id }, { title, description: 'ü'.repeat(65_535) })
      await server.deliveries.runDue()
      const { id, uuid } = await newestDelivery(server, workspace)
      const { curl } = await server.admin.deliveries.curl({ workspace: workspace.id, id })
      expect(await runIn(shell, curl)).toMatch(/^HTTP\/1.1 204 /m)
      const [sent, again] = receiver.received
      expect(again?.body).toEqual(sent?.body)
      expect(again?.headers).toMatchObject({ 'x-service-delivery': uuid, 'webhook-id': uuid, 'x-service-attempt': '2' })
      expect(await newestDelivery(server, workspace)).toMatchObject({ attempts: 1, state: 'succeeded' })
    },
  )

  test('hides the headers of the subscription, and is not found in another workspace or for a deleted subscription', async () => {
    const server = await start(sendingOptions())
    const { workspace, place, createTicket } = await subscribe(server, { headers: { Authorization: 'Basic secret' } })
    await createTicket('A')
    const { id } = await newestDelivery(server, workspace)
    const delivery = { workspace_id: workspace.id, id }
    const { curl } = await server.admin.deliveries.curl({ workspace: delivery.workspace_id, id: delivery.id })
    expect(await readCommand(curl)).toContain('Authorization: <hidden>')
    expect(curl).not.toContain('Basic secret')
    const elsewhere = await server.admin.workspaces.create({ name: 'Elsewhere' })
    const notFound = { code: 'not_found' }
    await expect(server.admin.deliveries.curl({ workspace: elsewhere.id, id })).rejects.toMatchObject(notFound)
    await server.admin.webhooks.delete(place)
    await expect(
      server.admin.deliveries.curl({ workspace: delivery.workspace_id, id: delivery.id }),
    ).rejects.toMatchObject(notFound)
  })
})

test('a curl command survives shell parsing with any content', async () => {
  const text = fc
    .string({ unit: 'binary', maxLength: 40 })
    .filter((value) => !value.includes('\0') && value.isWellFormed())
  await fc.assert(
    fc.asyncProperty(text, text, text, async (url, value, body) => {
      const line = toCurl({ url, headers: [['X-Any', value]], body })
      const args = ['-sS', '-i', url, '-H', `X-Any: ${value}`, '--data-binary', '@-']
      expect(await readCommand(line)).toEqual([...args, body])
    }),
    { numRuns: 100 },
  )
})
