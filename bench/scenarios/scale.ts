import { createServer } from '@service/server'
import { temporaryFolder } from '../data/folder.ts'
import { seed } from '../data/seed.ts'
import type { Findings } from '../findings.ts'
import { insertDeliveries } from '../outbound/backlog.ts'
import { startOurs } from '../processes/server.ts'
import { type Growth, growthSteps, measureGrowth } from '../scale/growth.ts'
import { growingNodes, nodesSteps } from '../scale/nodes.ts'
import type { Scenario } from './scenario.ts'

const inAll = 100_000
const ticketSizes = [1_000, 10_000, 100_000, 1_000_000, 10_000_000]
const workspaceSizes = [1, 10, 100, 1_000]
const outboxSizes = [0, 1_000, 10_000, 100_000, 1_000_000]
const [dayMs, yearMs] = [86_400_000, 365 * 86_400_000]

const how =
  'POST of a ticket, and GET of the newest 50 after each, 32 connections, SQLite with `synchronous=FULL`; CPU is that of the whole server process. All sizes are measured in the same rounds.'

/** What becomes of creations and lists as everything grows, one thing at a time. */
export const scale: Scenario = {
  steps: (options) =>
    [ticketSizes, workspaceSizes, outboxSizes].reduce((sum, sizes) => sum + growthSteps(sizes, options), 0) +
    nodesSteps(options),
  async run(options, progress) {
    const findings: Findings[] = []
    for (const growth of [growingTickets, growingWorkspaces, growingOutbox]) {
      using folder = temporaryFolder()
      findings.push(
        await measureGrowth(
          growth((name) => folder.path(name)),
          options,
          progress,
        ),
      )
    }
    return [...findings, await growingNodes(options, progress)]
  },
}

// A disk that is slow for a moment must not turn a measurement into one of refusals.
const start = (data: string) => startOurs(data, { SERVICE_LOAD_SHEDDING: 'false' })

type Place = (name: string) => string

const growingTickets = (place: Place): Growth => ({
  title: 'Growth: tickets in one database',
  method: `Ten workspaces. ${how}`,
  file: 'growth-tickets',
  axis: 'tickets',
  sizes: ticketSizes,
  async prepare(size) {
    const data = place(`tickets-${size}`)
    return { workspaces: await seed(data, size), server: await start(data) }
  },
})

const growingWorkspaces = (place: Place): Growth => ({
  title: 'Growth: workspaces in one database',
  method: `${inAll} tickets in all, and the requests go to all workspaces in turn. ${how}`,
  file: 'growth-workspaces',
  axis: 'workspaces',
  sizes: workspaceSizes,
  async prepare(size) {
    const data = place(`workspaces-${size}`)
    return {
      workspaces: await seed(data, inAll, { workspaces: size, members: 2, projects: 1 }),
      server: await start(data),
    }
  },
})

const growingOutbox = (place: Place): Growth => ({
  title: 'Growth: deliveries that wait',
  method: `Ten workspaces, each with a subscription to \`ticket.created\`, of which one has so many deliveries that wait a year to be repeated. The new deliveries are held, as the endpoints are disabled. ${how}`,
  file: 'growth-outbox',
  axis: 'deliveries that wait',
  sizes: outboxSizes,
  async prepare(size) {
    const data = place(`outbox-${size}`)
    const workspaces = await seed(data, inAll)
    const subscriptions: number[] = []
    {
      await using server = await createServer({ data, egressAllow: ['127.0.0.1'] })
      for (const { id } of workspaces) {
        const made = await server.admin.webhooks.create(
          { workspace: id },
          { url: 'http://127.0.0.1:9/', events: ['ticket.created'] },
        )
        await server.admin.webhooks.disable({ workspace: id, id: made.id })
        subscriptions.push(made.id)
      }
    }
    const [first] = workspaces
    if (first !== undefined && size > 0)
      insertDeliveries(data, {
        workspace_id: first.id,
        subscription_id: subscriptions[0] ?? 0,
        deliveries: size,
        afterMs: yearMs - dayMs,
      })
    return { workspaces, server: await start(data) }
  },
})
