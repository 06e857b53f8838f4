import type { Company } from './company.ts'
import { idAt, insertRows, type Received, takeIds } from './insert-rows.ts'
import type { Hook } from './plan-git.ts'
import type { StoredTicket, TicketPlan } from './tickets.ts'

/** Stores what the hosts have told, and gives back when. */
export async function storeGit(
  { app, workspace }: Company,
  hooks: readonly Hook[],
  ticketOf: (plan: TicketPlan) => StoredTicket,
) {
  const ids = await takeIds(app, 'git_deliveries', hooks.length)
  await insertRows(
    app,
    'git_deliveries',
    hooks.map(({ place, event, at }, index) => ({
      id: idAt(ids, index),
      workspace_id: workspace,
      provider: place.host.provider,
      delivery_id: app.ids.uuid(),
      event,
      received_at: at,
    })),
  )
  await insertRows(
    app,
    'activities',
    hooks.flatMap(({ place, event, at, activities }, index) =>
      activities.map((activity) => ({
        workspace_id: workspace,
        delivery_id: idAt(ids, index),
        provider: place.host.provider,
        event,
        kind: activity.kind,
        title: activity.title,
        ref: activity.ref,
        url: activity.url,
        commit_sha: activity.commitSha,
        actor: activity.actor?.name ?? activity.commitAuthor,
        actor_url: activity.actor?.url ?? null,
        repository: place.repository.name,
        repository_url: place.repository.url,
        occurred_at: activity.occurredAt,
        created_at: at,
      })),
    ),
  )
  const issues = hooks.flatMap(({ place, issue }) => (issue === undefined ? [] : [{ ...issue, place }]))
  await insertRows(
    app,
    'git_issue_tickets',
    issues.map(({ place: { host, repository }, number, url, ticket }) => ({
      ...{ workspace_id: workspace, provider: host.provider, repository_key: repository.name },
      ...{ issue_key: String(number), repository: repository.name, issue: number, url },
      ticket_id: ticketOf(ticket).id,
    })),
  )
  const received = (provider: string) =>
    hooks
      .filter(({ place }) => place.host.provider === provider)
      .map(({ at, event }): Received => ({ at, status: 200, summary: event }))
  return { github: received('github'), gitlab: received('gitlab') }
}
