import { expect, onTestFinished, test } from 'vitest'
import { createServer } from '../src/index.ts'
import { browserTimeoutMs, openBrowser } from './browser.ts'
import { createStorage } from './on-every-store.ts'
import { createPerson } from './people.ts'

test(
  'what is done in a tab of one node shows in a tab of another node of the same database',
  async () => {
    const place = await createStorage('postgres')
    const options = { ...place.options, databasePool: 4, rateLimit: 'off' as const }
    const nodes = [await createServer(options), await createServer(options)] as const
    const browser = await openBrowser()
    onTestFinished(async () => {
      await browser.close()
      await Promise.all(nodes.map((node) => node.close()))
      await place.remove()
    })
    const [{ admin }] = nodes
    const { id: workspace } = await admin.workspaces.create({ name: 'Northwind' })
    const { email, id } = await createPerson(nodes[0], 'Ada')
    await admin.members.create({ workspace }, { name: 'Ada', email, role: 'member' })
    const ticket = await admin.tickets.create({ workspace }, { title: 'Slow search' })

    /** A tab of a person signed in at that node. One context each, because cookies ignore ports. */
    const openAt = async (node: (typeof nodes)[number], path: string) => {
      const page = await (await browser.newContext({ reducedMotion: 'reduce' })).newPage()
      const { url } = await node.listen()
      await page.goto(url + (await node.admin.users.signInLink({ id })).link)
      await page.goto(`${url}/dashboard/w/${workspace}${path}`)
      await page.locator('#live-state[data-state=on]').waitFor()
      return page
    }
    const watching = await openAt(nodes[1], '/tickets')
    const working = await openAt(nodes[0], `/tickets/${ticket.id}`)
    expect(new URL(watching.url()).port).not.toBe(new URL(working.url()).port)

    await working.getByLabel('Status').selectOption('in_progress')
    await watching.getByRole('img', { name: 'In progress' }).waitFor()
    await watching.getByRole('link', { name: 'Unassigned 1' }).waitFor()
    await working.getByLabel('Assignee').selectOption('Ada')
    await watching.getByRole('link', { name: 'Mine 1' }).waitFor()

    // And vice versa.
    await nodes[1].admin.tickets.update({ workspace, id: ticket.id }, { priority: 'urgent' })
    await expect.poll(() => working.getByLabel('Priority').inputValue()).toBe('urgent')
  },
  browserTimeoutMs,
)
