import type { SeededWorkspace } from './seed.ts'

const subjects = ['Checkout', 'Login', 'The invoice export', 'The badge reader', 'Search', 'The mail import', 'Payroll']
const troubles = [
  'fails for guests since the last release',
  'shows yesterday’s figures',
  'is slow on Monday mornings',
  'asks for the password twice',
  'prints the total without tax',
  'loses the attachment when the title is long',
]
const statuses = ['open', 'in_progress', 'pending', 'resolved', 'closed']
const priorities = ['low', 'medium', 'high', 'urgent']

const newestAt = Date.UTC(2026, 10, 20, 18, 0, 0) * 1000
const minute = 60_000_000

const pick = <Item>(items: readonly Item[], turn: number): Item | null => items[turn % items.length] ?? null

/** A row of the tickets table. Every figure follows from its turn, so that each run measures the same bytes. */
export function seededTicket(workspace: SeededWorkspace, { turn, turns }: { turn: number; turns: number }) {
  // One every twenty minutes, changed up to three days later: fifty of them touch a handful of days, as real ones do.
  const createdAt = newestAt - (turns - turn) * 20 * minute + ((turn * 7919) % 1_000_000)
  return {
    workspace_id: workspace.id,
    number: turn + 1,
    title: `${pick(subjects, turn)} ${pick(troubles, turn * 5 + 1)}`,
    description: 'Reported by phone. '.repeat(1 + (turn % 20)),
    status: pick(statuses, turn * 3),
    priority: pick(priorities, turn * 7),
    category: turn % 4 === 0 ? null : 'bug',
    assigned_to: turn % 6 === 0 ? null : pick(workspace.users, turn * 11),
    created_by: pick(workspace.users, turn * 13),
    project_id: pick(workspace.projects, turn),
    due_at: turn % 2 === 0 ? '2026-12-18' : null,
    created_at: createdAt,
    updated_at: createdAt + (turn % 72) * 60 * minute,
  }
}
