import { load } from '../load.ts'
import { interleave, type Scenario } from '../measure.ts'
import { startJsonServer, startPlatform, startProgram, temporaryFolder } from '../processes.ts'
import { createRequests, newTicket, seed, writeJsonFile } from '../seed.ts'

const tickets = 1000

export const create: Scenario = {
  title: 'Create: a ticket with three tags, on disk before the response',
  method: `SQLite with \`synchronous=FULL\` in the floor and the platform. The floor commits each request separately. The
platform also runs rules, service levels, subscriptions, and the search index. json-server validates nothing and writes its file later.`,
  async measure(options) {
    using folder = temporaryFolder()
    const seeded = await seed(folder.path('platform'), tickets)
    const requests = createRequests(seeded)
    await using floor = await startProgram('floor.ts', folder.path('floor.db'), JSON.stringify(seeded), String(tickets))
    await using platform = await startPlatform(folder.path('platform'))
    const { seconds } = options
    let round = 0
    const jsonServer = async () => {
      // json-server writes the whole file after each change, so every round starts with a new file.
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
        'platform, 32 clients': () => load(platform, { clients: 32, seconds, requests }),
        'json-server, 32 clients': jsonServer,
        'floor, 1 client': () => load(floor, { clients: 1, seconds, requests }),
        'platform, 1 client': () => load(platform, { clients: 1, seconds, requests }),
      },
      options,
    )
  },
}
