import type { TicketDetail } from '@service/client/admin'
import { ActionButton, LinkButton } from '../../ui/components/button.tsx'
import { PageHead } from '../../ui/components/card.tsx'
import { words } from '../../ui/format.ts'
import { type PageResult, placeOf, redirect, show, type WorkspacePage } from '../../ui/page-types.ts'
import { TicketFacts } from './facts-pages.tsx'
import { Timeline, type TimelineNames } from './timeline-pages.tsx'

export async function ticketDetail(page: WorkspacePage): Promise<PageResult> {
  const { data: ticket, meta } = await page.admin.tickets.get(placeOf(page)).withMeta()
  const canEdit = page.can('member')
  const [members, names] = await Promise.all([
    canEdit ? page.admin.members.list({ workspace: page.workspace.id }, { limit: 200 }) : undefined,
    namesFor(page, ticket),
  ])
  const edited = members && { members: members.data, version: meta.headers['etag'] }
  return show({
    title: ticket.ticket_number,
    live: true,
    crumbs: [{ label: 'Tickets', href: page.link('/tickets') }],
    body: (
      <div class="stack" id={`ticket-detail-${ticket.id}`} data-live="tickets errors automation">
        <PageHead title={ticket.title} actions={canEdit && <Actions page={page} ticket={ticket} />}>
          {ticket.ticket_number}
        </PageHead>
        <div class="detail">
          <TicketFacts page={page} ticket={ticket} edited={edited} />
          <div class="stack">
            {ticket.description !== null && ticket.description !== '' && (
              <section class="section">
                <h2>Description</h2>
                <p class="prose">{ticket.description}</p>
              </section>
            )}
            <section class="section">
              <h2>Activity</h2>
              <Timeline entries={ticket.timeline} names={names} />
            </section>
          </div>
        </div>
      </div>
    ),
  })
}

/** Who and what the changes name by id. Looked up only where something changed them. */
async function namesFor(page: WorkspacePage, { timeline }: TicketDetail): Promise<TimelineNames> {
  const changed = new Set(timeline.flatMap(({ changes }) => Object.keys(changes ?? {})))
  const at = { workspace: page.workspace.id }
  const [members, projects] = await Promise.all([
    changed.has('assigned_to') ? page.admin.members.list(at, { limit: 200 }) : undefined,
    changed.has('project_id') ? page.admin.projects.list(at, { limit: 200 }) : undefined,
  ])
  const byId = (rows: readonly { readonly id: number; readonly name: string }[] = []) =>
    new Map(rows.map(({ id, name }) => [id, name]))
  return { assigned_to: byId(members?.data), project_id: byId(projects?.data) }
}

const isDone = ({ status }: TicketDetail) => status === 'resolved' || status === 'closed'

function Actions({ page, ticket }: { readonly page: WorkspacePage; readonly ticket: TicketDetail }) {
  const action = page.link(`/tickets/${ticket.id}/status`)
  return (
    <>
      <LinkButton id="edit-ticket" href={page.link(`/tickets/${ticket.id}/edit`)} icon="pencil" shortcut="e">
        Edit
      </LinkButton>
      {isDone(ticket) ? (
        <ActionButton id="reopen-ticket" action={action} fields={{ status: 'open' }} shortcut="r">
          Reopen
        </ActionButton>
      ) : (
        <ActionButton
          id="resolve-ticket"
          action={action}
          fields={{ status: 'resolved' }}
          look="primary"
          icon="check"
          shortcut="r"
        >
          Resolve
        </ActionButton>
      )}
    </>
  )
}

export async function resolveTicket(page: WorkspacePage): Promise<PageResult> {
  const place = placeOf(page)
  const status = page.form.text('status')
  const ticket = await page.admin.tickets.update(place, { status })
  return redirect(page.link(`/tickets/${place.id}`), `${ticket.ticket_number} is ${words(ticket.status).toLowerCase()}`)
}
