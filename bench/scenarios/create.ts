import { load } from '../load.ts'
import { interleave, type Scenario } from '../measure.ts'
import { startJsonServer, startOurs, startProgram, temporaryFolder } from '../processes.ts'
import { createRequests, newTicket, seed, writeJsonFile } from '../seed.ts'

const tickets = 1000

export const create: Scenario = {
  title: 'Create: a ticket with three tags, on disk before the answer',
  method: `SQLite with \`synchronous=FULL\` in the floor and in ours. The floor commits each request by itself; ours also runs
rules, service levels, subscriptions, and the search index. json-server checks nothing and writes its file later.`,
  async measure(options) {
    using folder = temporaryFolder()
    const seeded = await seed(folder.path('ours'), tickets)
    const requests = createRequests(seeded)
    await using floor = await startProgram('floor.ts', folder.path('floor.db'), JSON.stringify(seeded), String(tickets))
    await using ours = await startOurs(folder.path('ours'))
    const { seconds } = options
    let round = 0
    const jsonServer = async () => {
      // It writes the whole file after each change, so every round gets a new one.
      round += 1
      await using server = await startJsonServer(writeJsonFile(folder.path(`db-${round}.json`)))
      const body = JSON.stringify(newTicket({ user: 1, project: 1 }, round))
      const headers = { 'content-type': 'application/json' }
      const post = { method: 'POST' as const, path: '/tickets', headers, body }
      return await load(server, { clients: 32, seconds, requests: [post] })
    }
    return await interleave(
      {
        'floor, 32 clients': () => load(floor, { clients: 32, seconds, requests }),
        'ours, 32 clients': () => load(ours, { clients: 32, seconds, requests }),
        'json-server, 32 clients': jsonServer,
        'floor, 1 client': () => load(floor, { clients: 1, seconds, requests }),
        'ours, 1 client': () => load(ours, { clients: 1, seconds, requests }),
      },
      options,
    )
  },
}
