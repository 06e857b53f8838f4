import { type Lead, maxAddressLength } from '@service/contract'
import type { LeadEnquiry } from '@service/contract/admin/crm'
import type { Message } from '@service/contract/admin/messages'
import type { Page } from '@service/contract/admin/pages'
import type { Child } from 'hono/jsx'
import { hasAddress } from '../../core/has-address.ts'
import { Button } from '../../ui/components/button.tsx'
import { Card, PageHead } from '../../ui/components/card.tsx'
import { TextField } from '../../ui/components/form.tsx'
import { Empty } from '../../ui/components/notice.tsx'
import { authorOf } from '../../ui/components/person.tsx'
import { Pager } from '../../ui/components/table.tsx'
import { Time } from '../../ui/components/time.tsx'
import { pluralize, words } from '../../ui/format.ts'
import { type FormState, newForm, refusedForm, toNumber, urlWith } from '../../ui/forms.ts'
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
  const kind = page.query.text('kind')
  const before = toNumber(page.query.text('before'))
  const isWanted = (name: Kind) => kind === '' || kind === name
  const [leads, enquiries, tickets, messages] = await Promise.all([
    isWanted('leads') ? findLeads(page, email, before) : nothing,
    isWanted('inquiries') ? findEnquiries(page, email, before) : nothing,
    isWanted('tickets') ? findTickets(page, email, before) : nothing,
    isWanted('messages') ? findMessages(page, email, before) : nothing,
  ])
  const deals = kind === '' ? await findDeals(page, leads.rows) : []
  const tables: readonly ResourceRows[] = [
    { resource: resources.leads, kind: 'leads', ...leads },
    { resource: resources.deals, rows: deals, next: null },
    { resource: resources.tickets, kind: 'tickets', ...tickets },
  ]
  const lists = [
    ...tables.map((table) => <Rows page={page} email={email} {...table} />),
    <Enquiries page={page} email={email} {...enquiries} />,
    <Messages page={page} email={email} {...messages} />,
  ]
  const isKnown = [...tables, enquiries, messages].some(({ rows, next }) => rows.length > 0 || next !== null)
  const name = leads.rows[0]?.name ?? email
  return show({
    title: name,
    live: true,
    crumbs: [{ label: 'Search', href: page.link('/search') }],
    body: (
      <div class="stack" id="person" data-live="leads deals tickets messages">
        <PageHead title={name}>
          {[email, leads.rows[0]?.company, leads.rows[0]?.phone].filter(Boolean).join(' · ')}
        </PageHead>
        {isKnown ? (
          lists
        ) : (
          <Empty icon="user" title="Nothing about this person">
            No lead, inquiry, ticket, or message has this e-mail address.
          </Empty>
        )}
      </div>
    ),
  })
}

/** The lists that have pages. */
type Kind = 'leads' | 'inquiries' | 'tickets' | 'messages'

interface KindProps {
  readonly page: WorkspacePage
  readonly email: string
  readonly kind: Kind
  readonly noun: string
  readonly plural?: string
  readonly found: Matches<unknown>
  readonly children: Child
}

/** A list of a kind. Its other pages show only this kind. */
function KindCard({ page, email, kind, noun, plural, found: { rows, next }, children }: KindProps) {
  const counted = pluralize(rows.length, noun, plural)
  const isPart = next !== null || page.query.has('before')
  if (rows.length === 0 && !isPart) return null
  const none =
    next === null ? 'There are no older ones.' : 'None of those that this page searched. Older ones may follow.'
  return (
    <div>
      <Card title={words(kind)} aside={<span class="meta">{isPart ? '' : counted}</span>} flush>
        {rows.length === 0 ? <p class="card-body quiet">{none}</p> : children}
      </Card>
      {isPart && (
        <Pager
          page={page}
          href={urlWith(page.link('/person'), { email, kind })}
          next={next}
          summary={`${counted} on this page`}
        />
      )}
    </div>
  )
}

interface ResourceRows extends Matches<unknown> {
  readonly resource: AnyResource
  /** Undefined if the list has no pages. */
  readonly kind?: Kind
}

function Rows({ page, email, resource, kind, ...found }: ResourceRows & Pick<KindProps, 'page' | 'email'>) {
  const caption = words(`${resource.noun}s`)
  const table = (
    <ResourceTable
      resource={resource}
      page={page}
      names={{}}
      rows={found.rows as readonly AnyRecord[]} // untyped, as all generic code sees them
      caption={caption}
    />
  )
  if (kind !== undefined) return <KindCard {...{ page, email, kind, found, noun: resource.noun }}>{table}</KindCard>
  if (found.rows.length === 0) return null
  return (
    <Card title={caption} flush>
      {table}
    </Card>
  )
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
/** Leads whose deals are listed. */
const maxLeads = 10

/** Pages that are read for one page of matches. */
const maxPagesRead = 10

interface Matches<Row> {
  readonly rows: readonly Row[]
  /** The `before` of the next page; null if there is none. */
  readonly next: number | null
}

/** A page of the matching rows. The search also finds longer and similar addresses. */
async function findMatches<Row extends { readonly id: number }>(
  list: (page: { limit: number; before?: number }) => PromiseLike<Page<Row>>,
  { before, isMatch = () => true }: { readonly before: number | undefined; isMatch?(row: Row): boolean },
): Promise<Matches<Row>> {
  const rows: Row[] = []
  let next = before ?? null
  for (let read = 0; read < maxPagesRead && rows.length < maxOfKind; read += 1) {
    const page = await list({ limit: maxOfKind, ...(next !== null && { before: next }) })
    rows.push(...page.data.filter(isMatch))
    next = page.next_before
    if (next === null) break
  }
  if (rows.length <= maxOfKind) return { rows, next }
  const shown = rows.slice(0, maxOfKind)
  return { rows: shown, next: shown.at(-1)?.id ?? null }
}

const findLeads = ({ admin, workspace }: WorkspacePage, email: string, before?: number): Promise<Matches<Lead>> =>
  findMatches((page) => admin.leads.list({ workspace: workspace.id }, { search: email, ...page }), {
    before,
    isMatch: (lead) => lead.email?.trim().toLowerCase() === email,
  })

/** Text without a letter or digit is no address, and the search refuses it. */
const isSearchable = (email: string) => /[\p{L}\p{N}]/u.test(email)

const findTickets = async ({ admin, workspace }: WorkspacePage, email: string, before?: number) =>
  isSearchable(email)
    ? findMatches((page) => admin.tickets.list({ workspace: workspace.id }, { email, ...page }), { before })
    : nothing

const findMessages = ({ admin, workspace }: WorkspacePage, email: string, before?: number) =>
  findMatches((page) => admin.messages.list({ workspace: workspace.id }, { search: email, ...page }), {
    before,
    isMatch: ({ body }) => hasAddress(body, email),
  })

const nothing = { rows: [], next: null }

const findEnquiries = ({ admin, workspace }: WorkspacePage, email: string, before?: number) =>
  findMatches((page) => admin.leadEnquiries.list({ workspace: workspace.id }, { email, ...page }), { before })

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

function Enquiries({ page, email, ...found }: Matches<LeadEnquiry> & Pick<KindProps, 'page' | 'email'>) {
  return (
    <KindCard {...{ page, email, kind: 'inquiries', noun: 'inquiry', plural: 'inquiries', found }}>
      <ul class="card-body stack tight-stack">
        {found.rows.map(({ lead_id, source, notes, received_at }) => (
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
    </KindCard>
  )
}

function Messages({ page, email, ...found }: Matches<Message> & Pick<KindProps, 'page' | 'email'>) {
  return (
    <KindCard {...{ page, email, kind: 'messages', noun: 'message', found }}>
      <ul class="card-body stack tight-stack">
        {found.rows.map((message) => (
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
    </KindCard>
  )
}
