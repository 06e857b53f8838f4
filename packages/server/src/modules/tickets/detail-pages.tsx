import type { TicketDetail, TicketTimelineEntry } from '@service/contract/admin/work'
import { isResolved } from '@service/contract/values'
import { ActionButton, LinkButton } from '../../ui/components/button.tsx'
import { PageHead } from '../../ui/components/card.tsx'
import { Icon } from '../../ui/components/icon.tsx'
import { Avatar, actorName } from '../../ui/components/person.tsx'
import { Time } from '../../ui/components/time.tsx'
import { words } from '../../ui/format.ts'
import { type FormState, idempotency, newForm, numberOrUndefined, submit } from '../../ui/forms.ts'
import { type PageResult, recordRef, redirect, show, type WorkspacePage } from '../../ui/page-types.ts'
import { listNames } from '../../ui/resource/fields.tsx'
import { findTyped } from '../../ui/resource/form-pages.tsx'
import { findNeighbors, recordPath } from '../../ui/resource/list-query.ts'
import { readVersioned } from '../../ui/versions.ts'
import { editingUrl, ticketEditors } from './editing-pages.tsx'
import { TicketFacts } from './facts-pages.tsx'
import { listUsed, tickets } from './list-pages.tsx'
import { loadMessages, TicketMessages } from './message-pages.tsx'
import { listTicketTasks, TicketTasks } from './task-pages.tsx'

/** The forms of the page, with their input and errors. */
interface Forms {
  readonly task: FormState
  readonly message: FormState
  /** The refused change of properties. */
  readonly property: FormState
  /** The properties that were typed beside a comment. */
  readonly typed: ReadonlyMap<string, string>
  /** The version that the shown input was changed from; defaults to the present one. */
  readonly version: string | undefined
}

export async function ticketDetail(page: WorkspacePage, forms: Partial<Forms> = {}): Promise<PageResult> {
  const { task = newForm(), message = newForm(), property, typed = new Map() } = forms
  const { data: ticket, version } = await readVersioned(page.admin.tickets.get(recordRef(page)))
  const canEdit = page.can('member')
  const [members, used, names, neighbors, tasks, thread, editors] = await Promise.all([
    canEdit ? listNames(page, 'members') : undefined,
    canEdit ? listUsed(page) : undefined,
    namesFor(page, ticket),
    findNeighbors(tickets, page, ticket.id),
    listTicketTasks(page, ticket.id),
    loadMessages(page, ticket.id),
    ticketEditors(page, ticket.id),
  ])
  const edited = members && used && { members, used, version, typed, refused: property }
  return show({
    title: ticket.ticket_number,
    status: Math.max(task.status, message.status, property?.status ?? 0),
    live: true,
    crumbs: [{ label: 'Tickets', href: page.link('/tickets') }],
    body: (
      <div
        class="stack"
        id={`ticket-detail-${ticket.id}`}
        data-live="tickets history tasks messages errors automation"
        data-editing={editingUrl(page, ticket.id)}
      >
        <PageHead title={ticket.title} actions={<Actions page={page} ticket={ticket} neighbors={neighbors} />}>
          {ticket.ticket_number} {editors}
        </PageHead>
        <div class="detail">
          <TicketFacts page={page} ticket={ticket} edited={edited} />
          <div class="stack">
            {ticket.description !== null && ticket.description !== '' && (
              <section class="section">
                <h2>Description</h2>
                <p class="prose" dir="auto">
                  {ticket.description}
                </p>
              </section>
            )}
            <TicketTasks page={page} ticketId={ticket.id} tasks={tasks.data} form={task} />
            <TicketMessages
              page={page}
              ticketId={ticket.id}
              {...thread}
              members={members ?? []}
              form={message}
              version={forms.version ?? version}
            />
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

/** The names for ids in the timeline. Loaded only if a change refers to them. */
async function namesFor(page: WorkspacePage, { timeline }: TicketDetail): Promise<TimelineNames> {
  const changed = new Set(timeline.flatMap(({ changes }) => Object.keys(changes ?? {})))
  const [members, projects] = await Promise.all([
    changed.has('assigned_to') ? listNames(page, 'members') : undefined,
    changed.has('project_id') ? listNames(page, 'projects') : undefined,
  ])
  const byId = (rows: readonly { readonly id: number; readonly name: string }[] = []) =>
    new Map(rows.map(({ id, name }) => [id, name]))
  return { assigned_to: byId(members), project_id: byId(projects) }
}

interface ActionsProps {
  readonly page: WorkspacePage
  readonly ticket: TicketDetail
  readonly neighbors: Awaited<ReturnType<typeof findNeighbors>>
}

function Actions({ page, ticket, neighbors: { previous, next } }: ActionsProps) {
  return (
    <>
      {previous !== undefined && (
        <NeighborLink href={previous} name="Previous ticket" icon="chevron-left" shortcut="[" />
      )}
      {next !== undefined && <NeighborLink href={next} name="Next ticket" icon="chevron-right" shortcut="]" />}
      {page.can('member') && <EditActions page={page} ticket={ticket} />}
    </>
  )
}

interface NeighborProps {
  readonly href: string
  readonly name: string
  readonly icon: 'chevron-left' | 'chevron-right'
  readonly shortcut: string
}

/** In the drawer, it opens there. */
const NeighborLink = ({ href, name, icon, shortcut }: NeighborProps) => (
  <a class="button quiet icon-only" href={href} aria-label={name} title={name} data-key={shortcut} data-neighbor>
    <Icon name={icon} />
  </a>
)

function EditActions({ page, ticket }: Pick<ActionsProps, 'page' | 'ticket'>) {
  const action = recordPath(tickets, page, `${ticket.id}/status`)
  return (
    <>
      <LinkButton id="edit-ticket" href={recordPath(tickets, page, `${ticket.id}/edit`)} icon="pencil" shortcut="e">
        Edit
      </LinkButton>
      {isResolved(ticket.status) ? (
        <ActionButton id="switch-ticket" action={action} fields={{ status: 'open' }} shortcut="r">
          Reopen
        </ActionButton>
      ) : (
        <ActionButton
          id="switch-ticket"
          action={action}
          fields={{ status: 'resolved' }}
          variant="primary"
          icon="check"
          shortcut="r"
        >
          Resolve
        </ActionButton>
      )}
    </>
  )
}

export async function setStatus(page: WorkspacePage): Promise<PageResult> {
  const ref = recordRef(page)
  const ticket = await page.admin.tickets.update(ref, { status: page.form.text('status') })
  const notice = `${ticket.ticket_number} is ${words(ticket.status).toLowerCase()}`
  return redirect(recordPath(tickets, page, ref.id), notice)
}

export async function addTask(page: WorkspacePage): Promise<PageResult> {
  const { workspace, id } = recordRef(page)
  const task = { title: page.form.text('title'), ticket_id: id }
  const result = await submit(page, page.admin.tasks.create({ workspace }, task, idempotency(page.form)))
  if (!result.ok) return ticketDetail(page, { task: result.form })
  return redirect(recordPath(tickets, page, id), `${result.data.title} is created`)
}

export async function comment(page: WorkspacePage): Promise<PageResult> {
  const { workspace, id } = recordRef(page)
  const message = {
    channel_id: numberOrUndefined(page.form, 'channel'),
    ticket_id: id,
    body: page.form.text('body'),
  }
  const typed = await findTyped(editableTickets, page)
  const result = await submit(page, page.admin.messages.create({ workspace }, message, idempotency(page.form)))
  if (result.ok && typed.size === 0) return redirect(recordPath(tickets, page, id), 'Comment added')
  return ticketDetail(page, {
    message: result.ok ? newForm() : result.form,
    typed,
    version: typed.size === 0 ? undefined : page.form.text('version'),
  })
}

/** Without JavaScript, a property is sent with the comment that is typed beside it. */
const typedComment = ({ form }: WorkspacePage) => newForm({ body: form.text('body'), channel: form.text('channel') })

export const editableTickets = {
  ...tickets,
  form: {
    ...tickets.form,
    inline: {
      names: ['status', 'priority', 'assigned_to', 'due_at', 'category', 'tags'],
      refused: (page: WorkspacePage, property: FormState) =>
        ticketDetail(page, {
          property,
          message: typedComment(page),
          // After a conflict, the page shows what others have stored.
          version: property.status === 412 ? undefined : page.form.text('version') || undefined,
        }),
      saved: (page: WorkspacePage) =>
        page.form.text('body') === '' ? undefined : ticketDetail(page, { message: typedComment(page) }),
    },
  },
}

/** Names by id for each changed field. */
type TimelineNames = Readonly<Partial<Record<string, ReadonlyMap<number, string>>>>

interface EntryProps {
  readonly entry: TicketTimelineEntry
  readonly names: TimelineNames
}

/** Whether the entry only says that a rule ran whose changes come before it. */
const isRepeated = ({ kind, by }: TicketTimelineEntry, before: TicketTimelineEntry | undefined) =>
  kind === 'rule_ran' && by !== null && before?.by?.kind === by.kind && before.by.id === by.id

/** The ticket's history, oldest first. */
function Timeline({
  entries,
  names,
}: {
  readonly entries: readonly TicketTimelineEntry[]
  readonly names: TimelineNames
}) {
  return (
    <ol class="timeline">
      {entries
        .filter((entry, index) => !isRepeated(entry, entries[index - 1]))
        .map((entry) => (
          <Entry entry={entry} names={names} />
        ))}
    </ol>
  )
}

/** Actors other than people get an icon instead of an avatar. */
const icons: Readonly<Partial<Record<string, 'workflow' | 'alarm-clock' | 'bug'>>> = {
  rule_ran: 'workflow',
  rule_refused: 'workflow',
  sla_breached: 'alarm-clock',
  error_reported: 'bug',
}

function Entry({ entry, names }: EntryProps) {
  const { by, kind, at } = entry
  const icon = icons[kind]
  const actor = actorName(by)
  return (
    <li>
      {icon === undefined ? <Avatar name={actor} /> : <Icon name={icon} />}
      <p>
        {kind !== 'sla_breached' && <strong dir="auto">{actor}</strong>} <bdi>{describeEntry({ entry, names })}</bdi> ·{' '}
        <Time at={at} />
      </p>
    </li>
  )
}

const verbs: Readonly<Record<string, string>> = {
  created: 'created it',
  changed: 'changed it',
  resolved: 'resolved it',
  reopened: 'reopened it',
  rule_ran: 'ran',
  rule_refused: 'could not run',
  error_reported: 'reported it',
}

function describeEntry({ entry, names }: EntryProps): string {
  const { kind, detail, changes } = entry
  if (kind === 'sla_breached') return `The ${words(detail ?? 'promise').toLowerCase()} is late`
  const changed = Object.entries(changes ?? {}).map(([field, { from, to }]) =>
    describeChange({ field, from, to, names }),
  )
  const sentence =
    kind === 'changed' && changed.length > 0 ? changed.join(', ') : (verbs[kind] ?? words(kind).toLowerCase())
  // What a rule did is shown as changes, tasks, and comments.
  return detail === null || kind === 'rule_ran' ? sentence : `${sentence}: ${detail}`
}

interface Change {
  readonly field: string
  readonly from: unknown
  readonly to: unknown
  readonly names: TimelineNames
}

function describeChange({ field, from, to, names }: Change): string {
  const isChosen = field === 'status' || field === 'priority'
  const format = (value: unknown) =>
    isChosen && typeof value === 'string' ? words(value) : formatValue(value, names[field])
  if (field === 'assigned_to') return to === null ? `unassigned ${format(from)}` : `assigned it to ${format(to)}`
  if (field === 'status') return `moved it to ${format(to)}`
  if (field === 'title' || field === 'description') return `changed the ${field}`
  const name = words(field.replace(/_(?:id|at)$/, '')).toLowerCase()
  return from === null
    ? `set the ${name} to ${format(to)}`
    : `changed the ${name} from ${format(from)} to ${format(to)}`
}

function formatValue(value: unknown, names: ReadonlyMap<number, string> | undefined): string {
  if (value === null || value === undefined || value === '') return 'nothing'
  if (Array.isArray(value)) return value.length === 0 ? 'nothing' : value.join(', ')
  if (typeof value === 'number') return names?.get(value) ?? 'a former member'
  return typeof value === 'string' ? value : JSON.stringify(value)
}
