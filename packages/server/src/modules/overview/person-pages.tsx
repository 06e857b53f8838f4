import { type Lead, maxAddressLength } from '@service/contract'
import type { LeadEnquiry } from '@service/contract/admin/crm'
import type { Message } from '@service/contract/admin/messages'
import type { ListedTicket } from '@service/contract/admin/work'
import { Button } from '../../ui/components/button.tsx'
import { Card, PageHead } from '../../ui/components/card.tsx'
import { TextField } from '../../ui/components/form.tsx'
import { Empty } from '../../ui/components/notice.tsx'
import { authorOf } from '../../ui/components/person.tsx'
import { Time } from '../../ui/components/time.tsx'
import { words } from '../../ui/format.ts'
import { type FormState, newForm, refusedForm } from '../../ui/forms.ts'
import { type PageResult, show, type WorkspacePage, type WorkspacePages } from '../../ui/page-types.ts'
import type { AnyRecord, AnyResource } from '../../ui/resource/resource.ts'
import { ResourceTable } from '../../ui/resource/table.tsx'

interface Resources {
  readonly leads: AnyResource
  readonly tickets: AnyResource
  readonly deals: AnyResource
}

/** Everything about the person with an e-mail address. */
export const personPages = (resources: Resources): WorkspacePages => [
  { method: 'GET', path: '/person', handle: (page) => personPage(page, resources) },
]

async function personPage(page: WorkspacePage, resources: Resources): Promise<PageResult> {
  const email = page.query.text('email').toLowerCase()
  if (email === '') return personForm(page, newForm())
  if (email.length > maxAddressLength)
    return personForm(
      page,
      refusedForm(page.query, { email: [`An address has at most ${maxAddressLength} characters.`] }),
    )
  const at = { workspace: page.workspace.id }
  const [leads, tickets, found] = await Promise.all([
    findLeads(page, email),
    findTickets(page, email),
    page.admin.messages.list(at, { search: email, limit: maxOfKind }),
  ])
  const messages = found.data.filter(({ body }) => hasAddress(body, email))
  const [enquiries, deals] = await Promise.all([findEnquiries(page, leads), findDeals(page, leads)])
  const tables = [
    { resource: resources.leads, rows: leads },
    { resource: resources.deals, rows: deals },
    { resource: resources.tickets, rows: tickets },
  ].filter(({ rows }) => rows.length > 0)
  const isKnown = tables.length + messages.length > 0
  return show({
    title: leads[0]?.name ?? email,
    live: true,
    crumbs: [{ label: 'Search', href: page.link('/search') }],
    body: (
      <div class="stack" id="person" data-live="leads deals tickets messages">
        <PageHead title={leads[0]?.name ?? email}>
          {[email, leads[0]?.company, leads[0]?.phone].filter(Boolean).join(' · ')}
        </PageHead>
        {!isKnown && (
          <Empty icon="user" title="Nothing about this person">
            No lead, inquiry, ticket, or message has this e-mail address.
          </Empty>
        )}
        {tables.map(({ resource, rows }) => (
          <Card title={words(`${resource.noun}s`)} flush>
            <ResourceTable
              resource={resource}
              page={page}
              names={{}}
              rows={rows as readonly AnyRecord[]} // untyped, as all generic code sees them
              caption={words(`${resource.noun}s`)}
            />
          </Card>
        ))}
        <Enquiries page={page} enquiries={enquiries} />
        <Messages page={page} messages={messages} />
      </div>
    ),
  })
}

const personForm = (page: WorkspacePage, state: FormState) =>
  show({
    title: 'Person',
    status: state.status,
    crumbs: [{ label: 'Search', href: page.link('/search') }],
    body: (
      <>
        <PageHead title="Person">Everything that has the e-mail address of a person.</PageHead>
        <form class="form" action={page.link('/person')}>
          <TextField name="email" label="E-mail address" type="email" state={state} autofocus />
          <Button>Find</Button>
        </form>
      </>
    ),
  })

const maxOfKind = 50
/** Leads whose inquiries and deals are listed. */
const maxLeads = 10

async function findLeads({ admin, workspace }: WorkspacePage, email: string): Promise<readonly Lead[]> {
  const { data } = await admin.leads.list({ workspace: workspace.id }, { search: email, limit: 200 })
  return data.filter((lead) => lead.email?.trim().toLowerCase() === email)
}

async function findTickets({ admin, workspace }: WorkspacePage, email: string): Promise<readonly ListedTicket[]> {
  const describesPerson = async (id: number) => {
    const ticket = await admin.tickets.get({ workspace: workspace.id, id }).safe()
    return ticket.ok && hasAddress(ticket.data.description ?? '', email)
  }
  const found = await admin.tickets.list({ workspace: workspace.id }, { search: email, limit: maxOfKind }).safe()
  if (!found.ok) return []
  const shown: ListedTicket[] = []
  // One after another, so that a page does not take all database connections.
  for (const ticket of found.data.data)
    if (hasAddress(ticket.title, email) || (await describesPerson(ticket.id))) shown.push(ticket)
  return shown
}

/**
 * Whether a text has an address, and not only its words or a longer address: a search finds these, too. Some languages put
 * no space between an address and their letters, so only those of ASCII make it longer.
 */
function hasAddress(text: string, email: string): boolean {
  const searched = text.toLowerCase()
  for (let start = searched.indexOf(email); start !== -1; start = searched.indexOf(email, start + 1)) {
    const end = start + email.length
    const isLonger =
      /[a-z\d][.+_%'-]?$/.test(searched.slice(Math.max(0, start - 2), start)) ||
      /^[.-]?[a-z\d]/.test(searched.slice(end, end + 2))
    if (!isLonger) return true
  }
  return false
}

async function findEnquiries({ admin, workspace }: WorkspacePage, leads: readonly Lead[]) {
  const pages = await Promise.all(
    leads
      .slice(0, maxLeads)
      .map(({ id }) => admin.leadEnquiries.list({ workspace: workspace.id }, { lead_id: id, limit: maxOfKind })),
  )
  return pages.flatMap(({ data }) => data)
}

/** The deals with the accounts that have the names of the leads' companies. */
async function findDeals({ admin, workspace }: WorkspacePage, leads: readonly Lead[]) {
  const at = { workspace: workspace.id }
  const companies = new Set(leads.slice(0, maxLeads).flatMap(({ company }) => (company ? [company.toLowerCase()] : [])))
  const accounts = await Promise.all(
    [...companies].map(async (company) => {
      const { data } = await admin.accounts.list(at, { search: company, limit: maxOfKind })
      return data.filter(({ name }) => name.toLowerCase() === company)
    }),
  )
  const pages = await Promise.all(
    accounts.flat().map(({ id }) => admin.deals.list(at, { account_id: id, limit: maxOfKind })),
  )
  return pages.flatMap(({ data }) => data)
}

interface EnquiriesProps {
  readonly page: WorkspacePage
  readonly enquiries: readonly LeadEnquiry[]
}

function Enquiries({ page, enquiries }: EnquiriesProps) {
  if (enquiries.length === 0) return null
  return (
    <Card title="Inquiries">
      <ul class="stack tight-stack">
        {enquiries.map(({ lead_id, source, notes, received_at }) => (
          <li>
            <a href={page.link(`/leads/${lead_id}`)}>{words(source)}</a> · <Time at={received_at} />
            {notes !== null && (
              <p class="prose" dir="auto">
                {notes}
              </p>
            )}
          </li>
        ))}
      </ul>
    </Card>
  )
}

interface MessagesProps {
  readonly page: WorkspacePage
  readonly messages: readonly Message[]
}

function Messages({ page, messages }: MessagesProps) {
  if (messages.length === 0) return null
  return (
    <Card title="Messages">
      <ul class="stack tight-stack">
        {messages.map((message) => (
          <li>
            <a
              href={page.link(
                message.ticket_id === null ? `/messages/${message.channel_id}` : `/tickets/${message.ticket_id}`,
              )}
            >
              <bdi>{authorOf(message)}</bdi>
            </a>{' '}
            · <Time at={message.created_at} />
            <p class="prose" dir="auto">
              {message.body}
            </p>
          </li>
        ))}
      </ul>
    </Card>
  )
}
