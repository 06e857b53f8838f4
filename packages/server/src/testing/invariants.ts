import { AssertionError } from 'node:assert'
import { type ListName, type ListRow, listRows, listWorkspaceIds } from './list-rows.ts'
import type { OperationName } from './observed-request.ts'
import { requireServer } from './require-server.ts'
import type { TestServer } from './test-controls.ts'

/** Records of one workspace with the same value. */
export interface Duplicates {
  readonly workspace: number
  readonly value: unknown
  readonly ids: readonly number[]
}

/** The values of a field that several records of a workspace share, for example of `title` in `tickets`. Ignores null. */
export async function findDuplicates<Name extends ListName>(
  server: Pick<TestServer, 'admin'>,
  list: Name,
  field: keyof ListRow<Name> & string,
): Promise<Duplicates[]> {
  requireServer(server, { part: 'admin', owner: '`findDuplicates`' })
  const rows = (await listRows(server, list)).filter((row) => row[field] !== null)
  const groups = Map.groupBy(rows, (row) => JSON.stringify([row.workspace, row[field]]))
  return [...groups.values()].flatMap((group) => {
    const [first] = group
    if (first === undefined || group.length === 1) return []
    return [{ workspace: first.workspace, value: first[field], ids: group.map(({ id }) => id).toReversed() }]
  })
}

/** The number of requests of an operation that changed rows, whatever response the caller received. */
export function countEffects(server: Pick<TestServer, 'journal'>, operation: OperationName): number {
  requireServer(server, { part: 'journal', owner: '`countEffects`' })
  return server.journal.find({ operation }).filter(({ rows }) => rows.length > 0).length
}

/**
 * Throws an AssertionError if the platform's data contradicts itself: ticket numbers with gaps, several open leads with
 * the same e-mail, or attendance sessions of an employee that overlap.
 */
export async function checkInvariants(server: Pick<TestServer, 'admin'>): Promise<void> {
  requireServer(server, { part: 'admin', owner: '`checkInvariants`' })
  const violations = (
    await Promise.all(
      (
        await listWorkspaceIds(server)
      ).map(async (workspace) => [
        ...(await numberGaps(server, workspace)),
        ...(await openLeadDuplicates(server, workspace)),
        ...(await overlappingSessions(server, workspace)),
      ]),
    )
  ).flat()
  if (violations.length === 0) return
  throw new AssertionError({ message: violations.join('\n'), operator: 'checkInvariants' })
}

async function numberGaps(server: Pick<TestServer, 'admin'>, workspace: number): Promise<string[]> {
  const tickets = await listRows(server, 'tickets', workspace)
  const numbers = tickets
    .map(({ ticket_number }) => Number(ticket_number.slice('TKT-'.length)))
    .toSorted((a, b) => a - b)
  const index = numbers.findIndex((number, index) => number !== index + 1)
  return index === -1 ? [] : [`Workspace ${workspace} has ticket number ${numbers[index]} where ${index + 1} is next.`]
}

const closedLeadStatuses = ['converted', 'lost']

async function openLeadDuplicates(server: Pick<TestServer, 'admin'>, workspace: number): Promise<string[]> {
  const leads = await listRows(server, 'leads', workspace)
  const open = leads.filter(({ email, status }) => email !== null && !closedLeadStatuses.includes(status))
  return [...Map.groupBy(open, ({ email }) => email?.toLowerCase())]
    .filter(([, leads]) => leads.length > 1)
    .map(([email, leads]) => `Workspace ${workspace} has ${leads.length} open leads with the e-mail ${email}.`)
}

async function overlappingSessions({ admin }: Pick<TestServer, 'admin'>, workspace: number): Promise<string[]> {
  const sessions = await admin.attendance.sessions({ workspace }, { limit: 200 }).all()
  return [...Map.groupBy(sessions, ({ employee_id }) => employee_id)].flatMap(([employee, own]) => {
    const ordered = own.toSorted((a, b) => (a.check_in_at < b.check_in_at ? -1 : 1))
    const overlaps = ordered.some(({ check_out_at }, index) => {
      const next = ordered[index + 1]
      // A session without a check-out stays open: a toggle more than 16 hours later starts the next one.
      return next !== undefined && check_out_at !== null && check_out_at > next.check_in_at
    })
    return overlaps ? [`Workspace ${workspace} has overlapping attendance sessions of employee ${employee}.`] : []
  })
}
