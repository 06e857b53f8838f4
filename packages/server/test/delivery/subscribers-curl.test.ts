import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { toCurl } from '../../src/modules/webhooks/delivery-log-service.ts'
import { onEveryStore } from '../on-every-store.ts'
import { newestDelivery } from './newest-delivery.ts'
import { sendingOptions, subscribe } from './subscribed.ts'

/** The arguments that curl would get: a shell parses the line, with a function in place of curl. */
async function argumentsOf(line: string): Promise<string[]> {
  const { stdout } = await promisify(execFile)('sh', ['-c', `curl() { printf '%s\\0' "$@"; }; ${line}`])
  return stdout.split('\0').slice(0, -1)
}

/** Sends the request that curl would send for these arguments. */
async function run(args: readonly string[]): Promise<number> {
  const after = (option: string) => args.flatMap((arg, index) => (arg === option ? [args[index + 1] ?? ''] : []))
  const headers = after('-H').map((line): [string, string] => [
    line.slice(0, line.indexOf(':')),
    line.slice(line.indexOf(':') + 2),
  ])
  const url = args.find((arg) => arg.startsWith('http')) ?? ''
  return (await fetch(url, { method: 'POST', headers, body: after('--data-raw').join('') })).status
}

onEveryStore('the curl command of a delivery', (start) => {
  test('sends a request that every library verifies, with any event content, and does not count as an attempt', async () => {
    const options = sendingOptions()
    const server = await start(options)
    const { receiver, workspace, createTicket } = await subscribe(server)
    await createTicket(`It's "so" \\ $(touch x) \`y\` %s\n„ß“ 🎉`)
    await server.deliveries.runDue()
    const { id, uuid } = await newestDelivery(server, workspace)
    const { curl } = await server.admin.deliveries.curl({ workspace: workspace.id, id })
    expect(await run(await argumentsOf(curl))).toBe(204)
    const [sent, again] = receiver.received
    expect(again?.body).toEqual(sent?.body)
    expect(again?.headers).toMatchObject({ 'x-service-delivery': uuid, 'webhook-id': uuid, 'x-service-attempt': '2' })
    expect(await newestDelivery(server, workspace)).toMatchObject({ attempts: 1, state: 'succeeded' })
  })

  test('hides the headers of the subscription, and is not found in another workspace or for a deleted subscription', async () => {
    const server = await start(sendingOptions())
    const { workspace, place, createTicket } = await subscribe(server, { headers: { Authorization: 'Basic secret' } })
    await createTicket('A')
    const { id } = await newestDelivery(server, workspace)
    const delivery = { workspace_id: workspace.id, id }
    const { curl } = await server.admin.deliveries.curl({ workspace: delivery.workspace_id, id: delivery.id })
    expect(await argumentsOf(curl)).toContain('Authorization: <hidden>')
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
      expect(await argumentsOf(line)).toEqual(['-sS', '-i', url, '-H', `X-Any: ${value}`, '--data-raw', body])
    }),
    { numRuns: 100 },
  )
})
