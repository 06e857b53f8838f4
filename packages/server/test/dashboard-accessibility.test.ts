import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { dashboardRoutes } from '../src/http/dashboard.ts'
import { createServer, type Server } from '../src/index.ts'
import { browserTimeoutMs, openBrowser } from './browser.ts'
import { examplesOf } from './dashboard-examples.ts'
import { seedDemo } from './seed-demo.ts'

const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

let server: Server
let browser: Browser
let context: BrowserContext
let page: Page
let origin: string
let fill: (path: string) => string
/** Browser console errors, such as violations of the content security policy. */
const complaints: string[] = []

beforeAll(async () => {
  server = await createServer({ rateLimit: 'off' })
  const workspace = await seedDemo(server.admin)
  fill = await examplesOf(server, workspace)
  origin = (await server.listen()).url
  browser = await openBrowser()
  context = await browser.newContext()
  page = await context.newPage()
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('request', (request) => {
    if (!request.url().startsWith(origin)) complaints.push(`asked ${request.url()}`)
  })
  const members = await server.admin.members.list({ workspace })
  const owner = members.data.find(({ role }) => role === 'owner')
  await server.admin.users.update({ id: owner?.id ?? 0 }, { is_instance_admin: true })
  const { link } = await server.admin.users.signInLink({ id: owner?.id ?? 0 })
  await page.goto(origin + link)
}, browserTimeoutMs)

afterAll(async () => {
  await browser?.close()
  await server?.close()
})

/** Downloads are not pages. */
const paths = dashboardRoutes
  .filter(({ method, path }) => method === 'GET' && !path.endsWith('/export'))
  .map(({ path }) => path)

/** Rules that depend on theme and width run in all four combinations; the others run in two. */
const views = [
  { colorScheme: 'light', width: 1280, rules: [] },
  { colorScheme: 'dark', width: 1280, rules: ['color-contrast'] },
  { colorScheme: 'light', width: 360, rules: ['color-contrast'] },
  { colorScheme: 'dark', width: 360, rules: [] },
] as const

interface Axe {
  run(options: { resultTypes: string[]; runOnly?: string[] }): Promise<{
    violations: { id: string; nodes: { html: string; failureSummary?: string }[] }[]
  }>
}

/** WCAG 2.2 A and AA, and axe's best practices. */
async function violations(rules: readonly string[]): Promise<string[]> {
  return page.evaluate(async (rules) => {
    const { axe } = globalThis as unknown as { axe: Axe }
    const result = await axe.run({
      resultTypes: ['violations'],
      ...(rules.length === 0 ? {} : { runOnly: [...rules] }),
    })
    return result.violations.flatMap(({ id, nodes }) =>
      nodes.slice(0, 3).map(({ html, failureSummary }) => `${id}: ${html.slice(0, 160)} ${failureSummary ?? ''}`),
    )
  }, rules)
}

const overflow = () => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)

describe('every page of the dashboard', () => {
  test.each(paths)(
    '%s has no accessibility violations, light and dark, on a phone and on a desktop',
    async (pattern) => {
      complaints.length = 0
      const answer = await page.goto(origin + fill(pattern))
      expect(answer?.status()).toBe(200)
      await page.evaluate(axe)
      for (const { colorScheme, width, rules } of views) {
        await page.setViewportSize({ width, height: 800 })
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
        const view = `${colorScheme} ${width}`
        expect({ view, violations: await violations(rules) }).toEqual({ view, violations: [] })
        expect({ view, overflow: await overflow() }).toEqual({ view, overflow: 0 })
      }
      expect(complaints).toEqual([])
    },
  )
})
