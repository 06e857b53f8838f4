import { leadStatuses, ticketStatuses } from '@service/contract'
import { ApiError } from '../core/errors.ts'
import { checkInvariants } from './invariants.ts'
import { listWorkspaceIds } from './list-rows.ts'
import { requireServer } from './require-server.ts'
import type { TestServer } from './test-controls.ts'

/** A command of a model test, as fast-check runs it. */
export interface ModelCommand {
  check(): boolean
  /** Changes the server, sends due deliveries, and checks the platform's invariants. */
  run(): Promise<void>
  toString(): string
}

/**
 * Commands that create, update, punch, and deliver on a server with a workspace, for model tests with fast-check. Each
 * function turns a number into a command, and the number selects its record and values.
 *
 * @example
 * const arbitraries = modelCommands(server).map((toCommand) => fc.nat().map(toCommand))
 * const setup = () => ({ model: {}, real: server })
 * await fc.assert(fc.asyncProperty(fc.commands(arbitraries), async (list) => fc.asyncModelRun(setup, list)))
 */
export function modelCommands(server: TestServer): readonly ((n: number) => ModelCommand)[] {
  requireServer(server, { part: 'settled', owner: '`modelCommands`' })
  return Object.entries(actions).map(([name, act]) => (n) => ({
    check: () => true,
    async run() {
      await act({ server, workspace: await anyWorkspace(server), n }).catch(requireRefusal)
      await server.settled()
      await checkInvariants(server)
    },
    toString: () => `${name} ${n}`,
  }))
}

interface Step {
  readonly server: TestServer
  readonly workspace: number
  readonly n: number
}

const actions: Readonly<Record<string, (step: Step) => Promise<unknown>>> = {
  'create ticket': ({ server, workspace, n }) => server.admin.tickets.create({ workspace }, { title: `Ticket ${n}` }),
  'create lead': ({ server, workspace, n }) => server.create.lead({ workspace, email: leadEmail(n) }),
  async 'update ticket'({ server, workspace, n }) {
    const ticket = pick((await server.admin.tickets.list({ workspace })).data, n)
    if (ticket === undefined) return
    await server.admin.tickets.update({ workspace, id: ticket.id }, { status: pick(ticketStatuses, n) })
  },
  async 'update lead'({ server, workspace, n }) {
    const lead = pick((await server.admin.leads.list({ workspace })).data, n)
    if (lead === undefined) return
    await server.admin.leads.update({ workspace, id: lead.id }, { status: pick(leadStatuses, Math.floor(n / 3)) })
  },
  async punch({ server, workspace, n }) {
    const employee = pick((await server.admin.employees.list({ workspace })).data, n)
    const at = server.clock.now().getTime() - (n % hoursBack) * msPerHour
    await server.create.punch({
      workspace,
      employee: employee?.id,
      direction: pick(['in', 'out', 'toggle'] as const, n),
      timestamp: new Date(at).toISOString(),
    })
  },
  /** The same lead arrives twice if the number is even. */
  async deliver({ server, workspace, n }) {
    const known = server.seeded.workspaces.find(({ id }) => id === workspace)?.secrets['website']
    const secret = known ?? (await server.create.leadSource({ workspace })).secret
    const body = { name: `Lead ${n}`, email: leadEmail(n) }
    for (let sent = n % 2; sent < 2; sent += 1) {
      await server.fetch(server.webhooks.inbound('leads/website', { workspace, body, secret }))
    }
  },
}

const hoursBack = 72
const msPerHour = 3_600_000

/** Few addresses, so that duplicates are common. */
const leadEmail = (n: number) => `lead.${n % 3}@example.test`

const pick = <Item>(items: readonly Item[], n: number): Item | undefined => items[n % items.length]

async function anyWorkspace(server: TestServer): Promise<number> {
  const [first] = await listWorkspaceIds(server)
  return first ?? (await server.create.workspace()).id
}

/** The platform may reject a step, for example an open lead with the same e-mail. */
function requireRefusal(thrown: unknown): void {
  if (thrown instanceof ApiError) return
  if (thrown instanceof Error && 'status' in thrown && [409, 422].includes(Number(thrown.status))) return
  throw thrown
}
