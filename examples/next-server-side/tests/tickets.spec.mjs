import { expect } from '@playwright/test'
import { test } from './fixtures.mjs'

test('the server renders the tickets of the platform', async ({ page, server }) => {
  await server.create.ticket({ title: 'Checkout is down' })
  await page.goto('/')
  await expect(page.getByRole('listitem')).toHaveText(['Checkout is down'])
})

test('a form creates a ticket through the server', async ({ page, server }) => {
  await page.goto('/')
  await page.getByLabel('What is wrong?').fill('The printer is on fire')
  await page.getByRole('button', { name: 'Report' }).click()
  await expect(page.getByRole('listitem')).toHaveText(['The printer is on fire'])
  expect(server.expectRequest({ operation: 'tickets.create' })).toHaveLength(1)
})

test('the page shows an error if the platform is unavailable', async ({ page, server }) => {
  server.faults.add({ match: { operation: 'tickets.list' }, respond: { status: 503 } })
  await page.goto('/')
  await expect(page.getByRole('alert').first()).toHaveText('Tickets cannot be shown now.')
})
