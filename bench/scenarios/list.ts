import { load } from '../load.ts'
import { interleave, type Scenario } from '../measure.ts'
import { startJsonServer, startPlatform, startProgram, temporaryFolder } from '../processes.ts'
import { listRequests, seed, writeJsonFile } from '../seed.ts'

const tickets = 10_000

export const list: Scenario = {
  title: 'List: 50 tickets with assignee and creator',
  method: `32 keep-alive connections, ten workspaces in turn, ${tickets} tickets stored. The floor is a
hand-written program with node:http and better-sqlite3. It and the platform look up the token and count the rate limit. json-server
keeps 50 tickets in memory and does neither.`,
  async measure(options) {
    using folder = temporaryFolder()
    const seeded = await seed(folder.path('platform'), tickets)
    const requests = listRequests(seeded)
    await using floor = await startProgram('floor.ts', folder.path('floor.db'), JSON.stringify(seeded), String(tickets))
    await using platform = await startPlatform(folder.path('platform'))
    await using jsonServer = await startJsonServer(writeJsonFile(folder.path('db.json')))
    const shape = { clients: 32, seconds: options.seconds }
    return await interleave(
      {
        floor: () => load(floor, { ...shape, requests }),
        platform: () => load(platform, { ...shape, requests }),
        'json-server': () => load(jsonServer, { ...shape, requests: [{ path: '/tickets' }] }),
      },
      options,
    )
  },
}
