import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { Browser, BrowserContext, CDPSession, Page } from 'playwright-core'
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

/** Elements with a scroll bar for a few pixels, such as a row of tabs that may scroll sideways. */
const needlessScrollBars = () =>
  page.evaluate(() =>
    [...document.querySelectorAll('main *')]
      .filter((element) => /auto|scroll/.test(getComputedStyle(element).overflowY))
      .filter(({ scrollHeight, clientHeight }) => scrollHeight > clientHeight && scrollHeight < clientHeight + 10)
      .map(({ className }) => className),
  )

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
        expect({ view, overflow: await overflow(), bars: await needlessScrollBars() }).toEqual({
          view,
          overflow: 0,
          bars: [],
        })
      }
      expect(complaints).toEqual([])
    },
  )
})

/** A node of the accessibility tree, as screen readers get it. */
interface Spoken {
  readonly role: string
  readonly name: string
  readonly level: number
  readonly isFocusable: boolean
  readonly isInMain: boolean
  /** Identifies its element. */
  readonly element: number
}

/** The accessibility tree in reading order. */
async function readTree(session: CDPSession): Promise<Spoken[]> {
  const { nodes } = await session.send('Accessibility.getFullAXTree')
  const byId = new Map(nodes.map((node) => [node.nodeId, node]))
  const walk = (id: string, isInMain: boolean): Spoken[] => {
    const node = byId.get(id)
    if (node === undefined) return []
    const role = String(node.role?.value)
    const property = (name: string) => node.properties?.find((property) => property.name === name)?.value.value
    const spoken = {
      role,
      name: String(node.name?.value ?? '').trim(),
      level: Number(property('level') ?? 0),
      isFocusable: property('focusable') === true,
      isInMain,
      element: node.backendDOMNodeId ?? 0,
    }
    // The parts of a date field are the browser's own.
    const childIds = role === 'Date' ? [] : node.childIds
    const children = (childIds ?? []).flatMap((child) => walk(child, isInMain || role === 'main'))
    return node.ignored ? children : [spoken, ...children]
  }
  return walk(nodes[0]?.nodeId ?? '', false)
}

/** The elements that Tab visits, from the first one. */
async function visitByTab(session: CDPSession): Promise<number[]> {
  const visited: number[] = []
  await page.getByRole('link', { name: 'Skip to the content' }).focus()
  for (;;) {
    const { result } = await session.send('Runtime.evaluate', { expression: 'document.activeElement' })
    const { node } = await session.send('DOM.describeNode', { objectId: result.objectId ?? '' })
    if (node.nodeName === 'BODY' || node.backendNodeId === visited[0]) return visited
    visited.push(node.backendNodeId)
    await page.keyboard.press('Tab')
  }
}

const operable = /^(?:link|button|textbox|searchbox|combobox|listbox|checkbox|radio|switch|slider|spinbutton|tab|Date)$/
const mainPages = [
  '/overview',
  '/tickets',
  '/tickets/{id}',
  '/tasks',
  '/deals',
  '/leads',
  '/messages/{id}',
  '/attendance',
  '/webhooks/{id}',
  '/settings/members',
]

test.each(mainPages)('%s names, orders, and structures what a screen reader reads', async (path) => {
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.goto(origin + fill(`/dashboard/w/{workspace}${path}`))
  const session = await context.newCDPSession(page)
  try {
    await page.locator('#live-state[data-state=on]').waitFor()
    const tree = await readTree(session)
    const named = (roles: RegExp) => tree.filter(({ role }) => roles.test(role)).map(({ name }) => name)
    expect(tree.filter(({ role, name }) => operable.test(role) && name === '')).toEqual([])
    expect(tree.filter(({ role }) => role === 'main')).toHaveLength(1)
    for (const names of [named(/^navigation$/), named(/^(?:table|grid)$/)]) {
      expect(names).not.toContain('')
      expect(new Set(names).size).toBe(names.length)
    }
    expect(named(/^navigation$/)).toContain('Main')

    // One heading of the first level, and none that skips a level.
    const levels = tree.filter(({ role, isInMain }) => role === 'heading' && isInMain).map(({ level }) => level)
    expect(levels.filter((level) => level === 1)).toHaveLength(1)
    expect(levels.filter((level, index) => level > (levels[index - 1] ?? 0) + 1)).toEqual([])

    const visited = await visitByTab(session)
    const readable = tree.map(({ element }) => element)
    expect(visited.length).toBeGreaterThan(20)
    const positions = visited.map((element) => readable.indexOf(element))
    expect(positions).not.toContain(-1)
    expect(positions).toEqual(positions.toSorted((a, b) => a - b))
    // All that can be operated is reached, apart from the rest of a group of radio buttons.
    const missed = tree.filter(
      ({ role, isFocusable, element }) => isFocusable && operable.test(role) && !visited.includes(element),
    )
    expect(missed.filter(({ role }) => role !== 'radio')).toEqual([])
  } finally {
    await session.detach()
  }
})
