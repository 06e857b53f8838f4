import { formatInstant, fromDay, type Micros, microsPerDay, toDay } from '../../../core/clock.ts'
import { createProject } from '../../../modules/projects/service.ts'
import { pinTime } from '../../factories/factory-context.ts'
import type { Company } from './company.ts'
import { idAt, insertRows, takeIds } from './insert-rows.ts'
import type { StoredTicket } from './tickets.ts'
import { projectTexts, taskTexts } from './work-texts.ts'

/** Makes the projects, the oldest first, and gives back their ids. */
export async function makeProjects({ app, workspace, now }: Company): Promise<readonly number[]> {
  const ids: number[] = []
  for (const { name, status, color, startsAgo, dueIn } of projectTexts) {
    const day = (days: number) => toDay(now + days * microsPerDay)
    const made = pinTime(app, formatInstant(now - startsAgo * microsPerDay))
    const dates = { starts_at: day(-startsAgo), due_at: day(dueIn) }
    ids.push((await createProject(made, { workspace_id: workspace, name, status, color, ...dates })).id)
  }
  return ids
}

/** A task as its events name it. */
export interface StoredTask {
  readonly id: number
  readonly title: string
  readonly status: string
  readonly priority: string
  readonly project_id: number | null
  readonly ticket_id: number | null
  readonly created_at: Micros
  readonly updated_at: Micros
}

export async function storeTasks(
  { app, workspace, now, people, random: streamOf }: Company,
  { projects, tickets }: { readonly projects: readonly number[]; readonly tickets: readonly StoredTicket[] },
): Promise<readonly StoredTask[]> {
  const random = streamOf('tasks')
  // Who may only look makes no tasks.
  const authors = people.filter(({ department }) => ['Operations', 'Engineering', 'Support'].includes(department))
  const ids = await takeIds(app, 'tasks', taskTexts.length)
  const ordered = taskTexts
    .map((text) => ({
      ...text,
      created_at: Math.round(now - (text.daysAgo + 0.1 + 0.5 * random.fraction()) * microsPerDay),
    }))
    .toSorted((a, b) => a.created_at - b.created_at)
  const rows = ordered.map(({ title, project, status, priority, created_at, dueIn, partOf, ofTicket, tags }, index) => {
    const moved =
      status === 'todo' ? created_at : Math.round(created_at + (now - created_at) * (0.3 + 0.6 * random.fraction()))
    // Somebody takes care of a bug that is open.
    const ticket = ofTicket
      ? tickets.findLast(
          ({ category, status, at }) => category === 'bug' && status === 'in_progress' && at < created_at,
        )
      : undefined
    return {
      id: idAt(ids, index),
      workspace_id: workspace,
      title,
      description: null,
      status,
      priority,
      project_id: projects[project] ?? null,
      ticket_id: ticket?.id ?? null,
      parent_id:
        partOf === undefined
          ? null
          : idAt(
              ids,
              ordered.findIndex((one) => one.title === partOf),
            ),
      assigned_to: status === 'todo' && random.happens(0.3) ? null : random.pick(people).id,
      created_by: random.pick(authors).id,
      due_at: dueIn === undefined ? null : fromDay(toDay(now + dueIn * microsPerDay)),
      tags: JSON.stringify(tags),
      created_at,
      updated_at: moved,
    }
  })
  await insertRows(app, 'tasks', rows)
  return rows
}
