import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import {
  type Routable,
  routeTo,
  type Service,
  type ServiceFixturesOptions,
  serviceFixtures,
} from '../../src/testing/entries/playwright.ts'
import { createTestServer } from '../../src/testing/entries/testing.ts'
import { browserTimeoutMs, openBrowser } from '../browser.ts'

const app = 'https://app.example.com'
const api = 'https://api.example.com'

let browser: Browser
beforeAll(async () => {
  browser = await openBrowser()
}, browserTimeoutMs)
afterAll(() => browser.close())

/** A page whose scripts call the platform. */
async function openApp(): Promise<Page> {
  const page = await browser.newPage()
  onTestFinished(() => page.close())
  await page.route(`${app}/**`, (route) => route.fulfill({ contentType: 'text/html', body: '<title>App</title>' }))
  await page.goto(app)
  return page
}

/** Only a page on a loopback address may call a server on one. */
async function servePage(): Promise<string> {
  const web = createServer((_, response) => response.setHeader('content-type', 'text/html').end('<title>App</title>'))
  onTestFinished(() => void web.close().closeAllConnections())
  await once(web.listen(0, '127.0.0.1'), 'listening')
  return `http://127.0.0.1:${(web.address() as AddressInfo).port}`
}

/** Calls `fetch` in the page. */
const fetchInPage = (
  page: Page,
  url: string,
  init: { method?: string; headers?: Record<string, string>; body?: string } = {},
) =>
  page.evaluate(
    async ([address, options]) => {
      const response = await fetch(address, options)
      return { status: response.status, body: await response.text() }
    },
    [url, init] as const,
  )

async function startTicketApp() {
  const server = await createTestServer({ clock: '2026-01-01T00:00:00Z', corsOrigins: [app] })
  onTestFinished(() => server.close())
  const { token, workspace_id } = await server.tokens.issue()
  const tickets = `${api}/api/v1/workspaces/${workspace_id}/tickets`
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  return { server, tickets, headers }
}

test('handles cross-origin requests of a page, with a body, and stores data', async () => {
  const { server, tickets, headers } = await startTicketApp()
  const page = await openApp()
  await using _ = await routeTo(page, server, api)
  const created = await fetchInPage(page, tickets, {
    method: 'POST',
    headers,
    body: JSON.stringify({ title: 'Überall 🎫' }),
  })
  expect([created.status, JSON.parse(created.body)]).toMatchObject([201, { data: { title: 'Überall 🎫' } }])
  expect(JSON.parse((await fetchInPage(page, tickets, { headers })).body)).toMatchObject({
    data: [{ title: 'Überall 🎫' }],
  })
  expect((await fetchInPage(page, tickets)).status).toBe(401)
  expect(await page.title()).toBe('App')
})

test('fails with the network errors of the browser', async () => {
  const { server, tickets } = await startTicketApp()
  const page = await openApp()
  await routeTo(page, server, api)
  const failures: (string | undefined)[] = []
  page.on('requestfailed', (request) => failures.push(request.failure()?.errorText))
  for (const connection of ['reset', 'refused', 'dns', 'close', 'tls'] as const) {
    server.faults.add({ connection, times: 1 })
    await expect(fetchInPage(page, tickets)).rejects.toThrow('Failed to fetch')
  }
  expect(failures).toEqual([
    'net::ERR_CONNECTION_RESET',
    'net::ERR_CONNECTION_REFUSED',
    'net::ERR_NAME_NOT_RESOLVED',
    'net::ERR_CONNECTION_CLOSED',
    'net::ERR_FAILED',
  ])
})

test.each([true, false])(
  'lets a page read responses and their headers as over a port, with CORS: %s',
  async (hasCors) => {
    const home = await servePage()
    const server = await createTestServer({ seed: 'demo', ...(hasCors ? { corsOrigins: [home] } : {}) })
    onTestFinished(() => server.close())
    const page = await browser.newPage()
    onTestFinished(() => page.close())
    await page.goto(home)
    await routeTo(page, server, api)
    const { url } = await server.listen()
    const path = '/api/v1/workspaces/1/tickets'
    const read = (origin: string) =>
      page.evaluate(async (address) => {
        const response = await fetch(address).catch(({ message }: Error) => message)
        return typeof response === 'string' ? response : [response.status, response.headers.get('retry-after')]
      }, `${origin}${path}`)
    for (const expected of [401, 503]) {
      if (expected === 503) server.faults.add({ respond: { status: 503, retryAfterSeconds: 7 } })
      const outcome = await read(api)
      expect(outcome).toEqual(hasCors ? [expected, expected === 503 ? '7' : null] : 'Failed to fetch')
      expect(await read(url)).toEqual(outcome)
    }
  },
)

test('a page gets a compressed body decoded', async () => {
  const { server, tickets } = await startTicketApp()
  const page = await openApp()
  await routeTo(page, server, api)
  const headers = { 'content-encoding': 'gzip' }
  server.faults.add({ respond: () => new Response(gzipSync('{"a":1}'), { headers }) })
  expect(await fetchInPage(page, tickets)).toEqual({ status: 200, body: '{"a":1}' })
})

test('restores network access when it is stopped', async () => {
  const { server, tickets } = await startTicketApp()
  const page = await openApp()
  const routed = await routeTo(page, server, api)
  expect((await fetchInPage(page, tickets)).status).toBe(401)
  await routed.stop()
  await expect(fetchInPage(page, tickets)).rejects.toThrow('Failed to fetch')
})

test('has fixtures that fork a server per test and handle its pages, also in a test that names none', async () => {
  const { serviceTemplate, service, serviceRoute, server } = serviceFixtures({
    seed: 'demo',
    route: api,
    corsOrigins: [app],
  })
  const [openTemplate, { scope }] = serviceTemplate
  const [open] = service
  const [routePages, { auto }] = serviceRoute
  expect([scope, auto]).toEqual(['worker', true])
  const inTest = async (context: Routable, act: (service: Service) => Promise<void>) =>
    openTemplate({}, (template) =>
      open({ serviceTemplate: template }, (opened) =>
        routePages({ service: opened, context }, () =>
          server({ service: opened }, async (found) => {
            expect(found).toBe(opened.server)
            await act(opened)
          }),
        ),
      ),
    )
  const page = await openApp()
  await inTest(page.context(), async ({ token, workspace }) => {
    const headers = { authorization: `Bearer ${token}` }
    const { status, body } = await fetchInPage(page, `${api}/api/v1/workspaces/${workspace}/tickets`, { headers })
    expect([status, JSON.parse(body).data.length > 0]).toEqual([200, true])
  })
  await expect(fetchInPage(page, `${api}/livez`)).rejects.toThrow('Failed to fetch')
})

test('opens the service of a test that names no fixture only if code finds it through the process', () => {
  const isAutomatic = (options: ServiceFixturesOptions) => {
    const { service, serviceRoute } = serviceFixtures(options)
    return [service[1].auto, serviceRoute[1].auto]
  }
  expect(isAutomatic({ seed: 'demo' })).toEqual([false, false])
  expect(isAutomatic({ route: api })).toEqual([false, true])
  expect(isAutomatic({ transport: 'intercept', interceptOrigin: api })).toEqual([true, false])
  expect(isAutomatic({ env: { SERVICE_URL: 'origin' } })).toEqual([true, false])
})
