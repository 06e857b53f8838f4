import { expect, test } from 'vitest'
import { microsPerDay, microsPerMinute } from '../../src/core/clock.ts'
import { signedInVisitor } from '../dashboard-person.ts'
import { onEveryStore, type Start } from '../on-every-store.ts'
import { postReport, startOpenSite } from './inbound-site.ts'

/** Three errors, of which the oldest was reported last. */
async function startWithErrors(start: Start) {
  const site = await startOpenSite(start)
  const { clock } = site
  const cart = { exception: 'CartError', message: 'The cart is 100% empty', app: 'shop', environment: 'production' }
  await postReport(site, { ...cart, severity: 'error' })
  clock.advance(microsPerDay)
  await postReport(site, { message: 'Rates are slow', app: 'shop', environment: 'staging', severity: 'warning' })
  clock.advance(microsPerMinute)
  await postReport(site, { message: 'No van is free', app: 'planner', environment: 'production', severity: 'critical' })
  clock.advance(microsPerMinute)
  await postReport(site, { ...cart, severity: 'error' })
  return site
}

onEveryStore('the list of errors', (start) => {
  test('is sorted by the last report, page by page, with the counts of 14 days', async () => {
    const { server, workspaceId: workspace } = await startWithErrors(start)
    const sort = 'last_seen'
    const first = await server.admin.errorReports.list({ workspace }, { sort, limit: 2 })
    expect(first.data.map(({ message }) => message)).toEqual(['The cart is 100% empty', 'No van is free'])
    expect(first.data.map(({ days }) => days.map(({ count }) => count))).toEqual([[1, 1], [1]])
    const cursor = first.next_cursor ?? ''
    const rest = await server.admin.errorReports.list({ workspace }, { sort, limit: 2, cursor })
    expect(rest).toMatchObject({ data: [{ message: 'Rates are slow' }], next_cursor: null, next_before: null })
  })

  test('is filtered by app, environment, level, state, and text', async () => {
    const { server, workspaceId: workspace } = await startWithErrors(start)
    const found = async (query: object) =>
      (await server.admin.errorReports.list({ workspace }, { sort: 'last_seen', ...query })).data.map(({ app }) => app)
    expect(await found({ app: 'shop' })).toEqual(['shop', 'shop'])
    expect(await found({ environment: 'production' })).toEqual(['shop', 'planner'])
    expect(await found({ level: 'critical' })).toEqual(['planner'])
    expect(await found({ search: 'CART' })).toEqual(['shop'])
    expect(await found({ search: '100% e' })).toEqual(['shop'])
    expect(await found({ search: 'art' })).toEqual([])
    expect(await found({ search: 'cart', environment: 'staging' })).toEqual([])
    expect(await found({ status: 'open', environment: 'staging' })).toEqual(['shop'])
    expect(await found({ status: 'resolved' })).toEqual([])
    await expect(found({ level: 'loud' })).rejects.toMatchObject({ errors: { level: [expect.any(String)] } })
  })

  test('is counted by state and by the first report', async () => {
    const { server, clock, workspaceId: workspace } = await startWithErrors(start)
    const countOf = async (query: object) => (await server.admin.errorReports.count({ workspace }, query)).count
    const since = new Date(clock.now() / 1000 - 3_600_000).toISOString()
    expect(await countOf({})).toBe(3)
    expect(await countOf({ status: 'open', since })).toBe(2)
    expect(await countOf({ status: 'resolved' })).toBe(0)
    expect((await server.admin.errorReports.list({ workspace }, { since })).data).toHaveLength(2)
  })

  test('shows filters and daily bars in the dashboard, and the reader of an error', async () => {
    const { server, workspaceId: workspace } = await startWithErrors(start)
    const visitor = await signedInVisitor(server, { workspace, role: 'admin' })
    const read = async (path: string) => (await visitor.get(`/dashboard/w/${workspace}${path}`)).text()
    const [, path = '', shown = ''] =
      /href="[^"]*\/w\/\d+(\/errors[^"]+)"(?:(?!<\/a>).)*<bdi>(\d+) new errors? in/s.exec(await read('/overview')) ?? []
    expect(await read(path.replaceAll('&amp;', '&'))).toContain(`>${shown} error`)
    const list = await read('/errors?level=error')
    expect(list).toContain('2 reports in 14 days, 1 of them today.')
    expect(list).not.toContain('No van is free')
    const [error] = (await server.admin.errorReports.list({ workspace }, { level: 'error' })).data
    const page = await read(`/errors/${error?.id}`)
    expect(page).toContain('the generic reader')
    expect(page).toContain(`/dashboard/w/${workspace}/integrations/errors/mapping`)
  })
})
