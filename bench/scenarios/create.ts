import { temporaryFolder } from '../data/folder.ts'
import { copyData, type SeededWorkspace, seed } from '../data/seed.ts'
import { atLeast, atMost, because, type Findings, row } from '../findings.ts'
import { contest, contestSteps } from '../load/contest.ts'
import { type LoadSample, startLoad } from '../load/load.ts'
import type { Plan } from '../load/plan.ts'
import { startFloor, startOurs } from '../processes/server.ts'
import { figures } from '../rounds.ts'
import { ratios } from '../spread.ts'
import { requireSameCreations } from './same-answers.ts'
import type { Scenario } from './scenario.ts'

const ticketsBefore = 10_000

const variants = {
  floorAlone: { name: 'floor: hand-written, one commit per request, 1 client', who: 'floor', clients: 1 },
  oursAlone: { name: 'ours: service-server start, 1 client', who: 'ours', clients: 1 },
  floorCrowd: { name: 'floor: hand-written, one commit per request, 32 clients', who: 'floor', clients: 32 },
  oursCrowd: { name: 'ours: service-server start, 32 clients', who: 'ours', clients: 32 },
} as const
type CreateVariant = (typeof variants)[keyof typeof variants]
const all: readonly CreateVariant[] = Object.values(variants)

/** POST of a ticket with three tags and its outbox row, answered once it is on disk. */
export const create: Scenario = {
  steps: (options) => 1 + contestSteps(all, options),
  async run(options, progress) {
    using folder = temporaryFolder()
    await using stack = new AsyncDisposableStack()
    const workspaces = await seed(folder.path('floor'), ticketsBefore)
    copyData(folder.path('floor'), folder.path('ours'))
    progress(`made a database of ${ticketsBefore} tickets`)
    const servers = {
      floor: stack.use(await startFloor('create-server', folder.path('floor'))),
      ours: stack.use(await startOurs(folder.path('ours'))),
    }
    for (const workspace of workspaces) {
      await requireSameCreations(Object.values(servers), workspace, newTicket(workspace, 0))
    }
    const load = stack.use(startLoad())
    const samples = await contest(all, { ...options, progress }, ({ who, clients }, seconds) =>
      load.measure(servers[who], { ...planFor(workspaces), clients, seconds }),
    )
    return report(samples)
  },
}

function newTicket({ users, projects }: SeededWorkspace, turn: number): string {
  return JSON.stringify({
    title: `The invoice export prints the total without tax, case ${turn}`,
    description: 'Reported by phone. The customer sees it on every invoice since Monday.',
    priority: 'high',
    category: 'bug',
    assigned_to: users[turn % users.length],
    project_id: projects[turn % projects.length],
    due_at: '2026-12-18',
    tags: ['invoices', 'tax', `case-${turn}`],
  })
}

function planFor(workspaces: readonly SeededWorkspace[]): Pick<Plan, 'requests'> {
  const requests = Array.from({ length: 20 }, (_, turn) =>
    workspaces.map((workspace) => ({
      method: 'POST' as const,
      path: `/api/v1/workspaces/${workspace.id}/tickets`,
      headers: {
        authorization: `Bearer ${workspace.token}`,
        accept: 'application/json',
        'content-type': 'application/json',
      },
      body: newTicket(workspace, turn),
      expectedStatus: 201,
    })),
  ).flat()
  return { requests }
}

const whyNotMore =
  'a commit takes about 0.4 ms on this disk, which is all that sharing it can save, and ours is bound by the processor then. A profile of 32 callers has 35 % in SQLite (thirteen statements: beside those of the floor the words of the search, the subscriptions to be told, the savepoint that keeps one creation from undoing another), 5 % in commits, and nothing else above 2 %: Node’s HTTP, the checks of the contract, JSON. On a slower disk the ratio grows.'

const whyNotLess =
  'system calls are those of the floor; the same code costs twice as much processor time as at 32 clients, because caches are cold after each wait for the disk (docs/decisions/006-create-at-one-client.md).'

function report(samples: Map<CreateVariant, LoadSample[]>): Findings {
  const cpu = (variant: CreateVariant) => figures(samples, variant, (sample) => sample.cpuMicrosPerRequest)
  const rate = (variant: CreateVariant) => figures(samples, variant, (sample) => sample.requestsPerSecond)
  const floorOf = ({ clients }: CreateVariant) => (clients === 1 ? variants.floorAlone : variants.floorCrowd)
  const toFloor = (variant: CreateVariant) => ratios(rate(variant), rate(floorOf(variant)))
  return {
    title: 'Create: POST a ticket with three tags, durable',
    method:
      'SQLite with `synchronous=FULL` in both; ticket, number, tags and outbox row commit together and the answer waits for the disk. Assignee and project are looked up. The answers are the same (checked before). Ratios are taken within a round.',
    columns: ['requests/s', 'CPU µs/request', 'requests/s / floor'],
    rows: all.map((variant) => row(variant.name, rate(variant), cpu(variant), toFloor(variant))),
    goals: [
      because(atLeast('requests/s at 32 clients, ours / floor', 3.6, toFloor(variants.oursCrowd)), whyNotMore),
      because(
        atMost('CPU at 1 client, ours / floor', 1.6, ratios(cpu(variants.oursAlone), cpu(variants.floorAlone))),
        whyNotLess,
      ),
    ],
  }
}
