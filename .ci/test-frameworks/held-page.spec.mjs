import { test as base } from '@playwright/test'
import { serviceFixtures } from '@service/server/playwright'
import { heldCases, noteEnd } from './held-cases.cjs'

// Every test fails at its limit, and then the run must end by itself.

const test = base.extend(serviceFixtures({ route: 'https://api.example.com' }))
test.afterEach(noteEnd)

for (const { name, fault } of heldCases.filter(({ transport }) => transport === 'process')) {
  test(name, async ({ page, server }) => {
    test.setTimeout(10_000)
    server.faults.add({ ...fault, match: { path: '/livez' } })
    await page.route('https://app.example.com/', (route) => route.fulfill({ contentType: 'text/html', body: '' }))
    await page.goto('https://app.example.com/')
    await page.evaluate(() => fetch('https://api.example.com/livez').then((response) => response.text()))
  })
}
