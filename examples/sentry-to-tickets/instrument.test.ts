import * as Sentry from '@sentry/node'
import { createTestServer } from '@service/server/testing'
import { expect, onTestFinished, test } from 'vitest'
import { instrument } from './instrument.ts'

function settleCart(items: number): never {
  throw new RangeError(`The cart holds ${items} items`)
}

function capture(items: number): void {
  try {
    settleCart(items)
  } catch (error) {
    Sentry.captureException(error)
  }
}

test('opens one ticket for an error, and counts a repeated error with different numbers on it', async () => {
  const server = await createTestServer()
  onTestFinished(() => server.close())
  const { id: workspace } = await server.admin.workspaces.create({ name: 'Acme' })
  const at = { workspace, integration: 'errors' } as const
  await server.admin.integrations.update(at, { enabled: true })
  const { secret } = await server.admin.integrations.rotateSecret(at)
  const { url } = await server.listen({ port: 0 })

  instrument({ errorsUrl: `${url}/api/webhooks/${workspace}/errors`, secret })
  onTestFinished(() => Sentry.close().then(() => undefined))
  for (const items of [1001, 1002]) {
    capture(items)
    expect(await Sentry.flush()).toBe(true)
  }

  const { data: tickets } = await server.admin.tickets.list({ workspace })
  expect(tickets.map(({ title }) => title)).toEqual([expect.stringContaining('The cart holds 1001 items')])
  const { data: reports } = await server.admin.errorReports.list({ workspace })
  expect(reports).toEqual([expect.objectContaining({ count: 2, environment: 'production' })])
})
