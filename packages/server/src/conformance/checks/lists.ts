import { listDeals, listEmployees, listProjects, listTickets, type Route, responseSchema } from '@service/contract'
import * as z from 'zod/mini'
import { type Check, expectShape, expectStatus, expectThat } from '../probe.ts'

const Rows = z.object({ data: z.array(z.looseObject({ id: z.number() })) })
const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/

/** Checks that apply to each of the four lists. */
function listChecks(route: Route, resource: string): Check[] {
  const about = { operation: route.operation, basis: 'documented' } as const
  return [
    {
      ...about,
      section: '§4',
      title: `the list of ${resource} is {data: […]} in the documented shape`,
      async run(probe) {
        const reply = await probe.api(route.path)
        expectStatus(reply, 200)
        expectShape(responseSchema(route), reply)
      },
    },
    {
      ...about,
      section: '§8',
      title: `the list of ${resource} holds at most 50, newest first`,
      async run(probe) {
        const { data } = expectShape(Rows, await probe.api(route.path))
        const ids = data.map(({ id }) => id)
        expectThat(ids.length <= 50, 'at most 50', ids.length)
        expectThat(
          ids.every((id, index) => index === 0 || id < (ids[index - 1] ?? 0)),
          'falling ids',
          ids,
        )
      },
    },
  ]
}

export const listsChecks: readonly Check[] = [
  ...listChecks(listTickets, 'tickets'),
  ...listChecks(listProjects, 'projects'),
  ...listChecks(listEmployees, 'employees'),
  ...listChecks(listDeals, 'deals'),
  {
    section: '§2',
    title: 'instants are UTC with microseconds and a trailing Z',
    basis: 'documented',
    operation: listTickets.operation,
    async run(probe) {
      const { data } = expectShape(listTickets.responses[200], await probe.api(listTickets.path))
      const odd = data.find(({ created_at }) => !instant.test(created_at))
      expectThat(odd === undefined, '2026-11-20T18:51:53.123456Z', odd?.created_at)
    },
  },
  {
    section: '§2',
    title: 'a ticket in the list has updated_at and no project',
    basis: 'documented',
    operation: listTickets.operation,
    async run(probe) {
      const { data } = expectShape(listTickets.responses[200], await probe.api(listTickets.path))
      const odd = data.find((ticket) => 'project' in ticket)
      expectThat(odd === undefined, 'no project', odd)
    },
  },
  {
    section: '§4',
    title: 'unknown query parameters are ignored',
    basis: 'decided',
    operation: listTickets.operation,
    run: async (probe) => expectStatus(await probe.api(`${listTickets.path}?page=2&per_page=1`), 200),
  },
  {
    section: '§8',
    title: 'answers carry X-RateLimit-Limit and X-RateLimit-Remaining',
    basis: 'decided',
    operation: listTickets.operation,
    async run(probe) {
      const { headers } = await probe.api(listTickets.path)
      const names = ['x-ratelimit-limit', 'x-ratelimit-remaining'].filter((name) => !headers.has(name))
      expectThat(names.length === 0, 'both headers', { missing: names })
    },
  },
  {
    section: '§7',
    title: 'an unsupported method gives 405 with Allow',
    basis: 'decided',
    async run(probe) {
      const reply = await probe.api(listProjects.path, { method: 'DELETE' })
      expectStatus(reply, 405)
      expectThat(reply.headers.has('allow'), 'the header Allow', [...reply.headers.keys()])
    },
  },
]
