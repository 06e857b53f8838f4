import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, onTestFinished } from 'vitest'
import { createServer, type Server } from '../src/index.ts'
import { browserTimeoutMs, openBrowser } from './browser.ts'
import { freshDirectory } from './fresh-directory.ts'
import { goodPassword } from './people.ts'

/** The first person of an installation, in the workspace that the set-up link has created. */
export interface FirstPerson {
  readonly server: Server
  readonly page: Page
  readonly url: string
  readonly workspace: number
  /** The address of a page of the workspace. */
  link(path: string): string
  /** A page for another person, with its own cookies. */
  newPage(): Promise<Page>
}

/** Creates Ada and the first workspace of an installation with its set-up link. */
export async function setUp(page: Page, link: string): Promise<void> {
  await page.goto(link)
  await page.getByLabel('Your name').fill('Ada Obi')
  await page.getByLabel('Your e-mail address').fill('ada@people.example')
  await page.getByLabel('Password').fill(goodPassword)
  await page.getByLabel('Name of the first workspace').fill('Northwind')
  await page.getByRole('button', { name: 'Set up' }).click()
  await page.getByRole('heading', { name: /Good .*, Ada/ }).waitFor()
}

/** One browser for the tests of a file. Each call starts a platform in an empty directory, and opens its set-up link. */
export function useFirstPerson(): () => Promise<FirstPerson> {
  let browser: Browser
  beforeAll(async () => {
    browser = await openBrowser()
  }, browserTimeoutMs)
  afterAll(() => browser?.close())
  const newPage = async () => (await browser.newContext({ reducedMotion: 'reduce' })).newPage()
  return async () => {
    const server = await createServer({ data: await freshDirectory(), rateLimit: 'off', egressAllow: ['127.0.0.1'] })
    const page = await newPage()
    onTestFinished(async () => {
      await page.context().close()
      await server.close()
    })
    const { url } = await server.listen()
    await setUp(page, url + (await server.admin.setupLinks.create()).link)
    const workspace = (await server.admin.workspaces.list()).data[0]?.id ?? 0
    return { server, page, url, workspace, newPage, link: (path) => `${url}/dashboard/w/${workspace}${path}` }
  }
}
