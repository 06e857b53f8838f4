import { setTimeout as sleep } from 'node:timers/promises'
import { createServer, type Server } from '@service/server'

// A platform in a fresh process that creates tickets at an even pace and tells when each was on the disk.
// node platform.ts <data> <receiver> <tickets per second> <seconds> <subscriptions> <waiting for a dead receiver>

/** When which title was committed, in microseconds of the machine. */
export type Commits = readonly (readonly [title: string, atMicros: number])[]

const [data = '', receiverUrl = '', ...figures] = process.argv.slice(2)
const [perSecond = 0, seconds = 0, subscriptions = 1, dead = 0] = figures.map(Number)
const warmUpSeconds = 3

const server = await createServer({ data, egressAllow: ['127.0.0.1'] })
const { id: workspace_id } = await server.admin.workspaces.create({ name: 'Outbound' })
if (dead > 0)
  await server.admin.webhooks.create({ workspace: workspace_id }, { url: `${receiverUrl}/hang`, events: ['task.*'] })
for (let index = 0; index < subscriptions; index += 1)
  await server.admin.webhooks.create({ workspace: workspace_id }, { url: `${receiverUrl}/noted`, events: ['ticket.*'] })
// Without a dead receiver the tasks are there too, so that both databases are as large.
await createTasks(server, 10_000)
await createTickets(server, 'warm', warmUpSeconds)
const commits = await createTickets(server, 'measured', seconds)
await sleep(1000)
console.log(JSON.stringify(commits))
process.exit()

async function createTasks({ admin }: Server, count: number): Promise<void> {
  for (let made = 0; made < count; made += 500)
    await Promise.all(
      Array.from({ length: 500 }, (_, index) =>
        admin.tasks.create({ workspace: workspace_id }, { title: `Task ${made + index}` }),
      ),
    )
}

async function createTickets({ admin }: Server, kind: string, lastsSeconds: number): Promise<Commits> {
  const commits: [string, number][] = []
  const creating: Promise<unknown>[] = []
  const startedAt = performance.now()
  for (let number = 0; number < perSecond * lastsSeconds; number += 1) {
    const title = `${kind} ${number}`
    const wait = startedAt + (number * 1000) / perSecond - performance.now()
    if (wait > 0) await sleep(wait)
    creating.push(
      admin.tickets
        .create({ workspace: workspace_id }, { title })
        .then(() => commits.push([title, Number(process.hrtime.bigint() / 1000n)])),
    )
  }
  await Promise.all(creating)
  return commits
}
