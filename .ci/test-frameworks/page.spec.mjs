import { test as base, expect } from '@playwright/test'
import { serviceFixtures } from '@service/server/playwright'

const test = base.extend(serviceFixtures({ seed: 'demo', route: 'https://api.example.com' }))

/** The status that a page gets from the platform. */
async function statusFrom(page, path) {
  await page.route('https://app.example.com/', (route) => route.fulfill({ contentType: 'text/html', body: '' }))
  await page.goto('https://app.example.com/')
  return page.evaluate((url) => fetch(url).then((response) => response.status), `https://api.example.com${path}`)
}

test('a page reaches the server of its test', async ({ page, server }) => {
  expect(await statusFrom(page, '/livez')).toBe(200)
  expect(server.expectRequest({ path: '/livez' }).length).toBe(1)
})

test('another test has another server', async ({ server }) => {
  expect(server.expectRequest({ path: '/livez' }, { times: 0 }).length).toBe(0)
})

test('a page reaches a server in a test that names no fixture', async ({ page }) => {
  expect(await statusFrom(page, '/livez')).toBe(200)
})
