import type { Child } from 'hono/jsx'
import { PageHead } from '../../ui/components/card.tsx'
import { Icon } from '../../ui/components/icon.tsx'
import type { IconName } from '../../ui/icon-names.ts'
import { navigation } from '../../ui/navigation.ts'
import { type PageResult, show, type WorkspacePage, type WorkspacePages } from '../../ui/page-types.ts'

export const searchPages: WorkspacePages = [{ method: 'GET', path: '/search', handle: search }]

/** A search result. */
interface SearchResult {
  readonly icon: IconName
  readonly label: string
  readonly note: string
  readonly href: string
}

const maxPerKind = 6

/** Pages, create actions, tickets, people, and deliveries that match a text. The palette shows only the results. */
async function search(page: WorkspacePage): Promise<PageResult> {
  const text = page.query.text('q').slice(0, 100)
  const results = <Results found={await find(page, text)} text={text} />
  return show({
    title: 'Search',
    body: page.isFragment ? results : <SearchPage page={page} text={text} results={results} />,
  })
}

async function find(page: WorkspacePage, text: string): Promise<readonly SearchResult[]> {
  const pages = [...findPages(page, text), ...findActions(page, text)]
  if (text === '') return pages
  const rest = await Promise.all([findTickets(page, text), findPeople(page, text), findDelivery(page, text)])
  return [...pages, ...rest.flat()]
}

const contains = (name: string, text: string) => name.toLowerCase().includes(text.toLowerCase())

function findPages(page: WorkspacePage, text: string): SearchResult[] {
  return navigation
    .flatMap(({ label, items }) => items.map((item) => ({ ...item, note: label ?? 'Work' })))
    .filter(({ path, label }) => page.has(path) && contains(label, text))
    .map(({ path, label, icon, note }) => ({ icon, label, note, href: page.link(path) }))
    .slice(0, text === '' ? 30 : maxPerKind)
}

/** The create actions of the palette. */
const actions: readonly { readonly label: string; readonly path: string }[] = [
  { label: 'New ticket', path: '/tickets/new' },
  { label: 'New task', path: '/tasks/new' },
  { label: 'New project', path: '/projects/new' },
  { label: 'New deal', path: '/deals/new' },
  { label: 'New lead', path: '/leads/new' },
  { label: 'New account', path: '/accounts/new' },
  { label: 'New employee', path: '/employees/new' },
  { label: 'New device', path: '/attendance/devices/new' },
  { label: 'New channel', path: '/messages/new' },
  { label: 'New API token', path: '/tokens/new' },
  { label: 'New endpoint', path: '/webhooks/new' },
  { label: 'New rule', path: '/automation/new' },
  { label: 'Add member', path: '/settings/members/new' },
]

/** Also finds `create token`. */
const matchesAction = (label: string, text: string) =>
  text.split(' ').every((word) => contains(`${label} create add`, word))

const findActions = (page: WorkspacePage, text: string): SearchResult[] =>
  actions
    .filter(({ path, label }) => page.has(path) && matchesAction(label, text))
    .map(({ path, label }) => ({ icon: 'plus', label, note: 'Action', href: page.link(path) }))

async function findTickets(page: WorkspacePage, text: string): Promise<SearchResult[]> {
  const found = await page.admin.tickets
    .list({ workspace: page.workspace.id }, { search: text, limit: maxPerKind })
    .safe()
  // A query without words, such as only punctuation, has no results.
  if (!found.ok) return []
  return found.data.data.map(({ id, ticket_number, title }) => ({
    icon: 'ticket',
    label: title,
    note: ticket_number,
    href: page.link(`/tickets/${id}`),
  }))
}

async function findPeople(page: WorkspacePage, text: string): Promise<SearchResult[]> {
  const { data } = await page.admin.members.list({ workspace: page.workspace.id }, { limit: 200 })
  return data
    .filter(({ name, email }) => contains(name, text) || contains(email, text))
    .slice(0, maxPerKind)
    .map(({ id, name, email }) => ({
      icon: 'user',
      label: name,
      note: email,
      href: page.link(`/tickets?assigned_to=${id}`),
    }))
}

const isUuid = (text: string) => /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text)

/** Finds a delivery by its number or by the UUID that receivers see. */
async function findDelivery(page: WorkspacePage, text: string): Promise<SearchResult[]> {
  if (!page.has('/webhooks')) return []
  const delivery = isUuid(text) ? await findByUuid(page, text) : await findByNumber(page, text)
  if (delivery === undefined) return []
  const { id, event, state } = delivery
  return [
    {
      icon: 'send',
      label: `Delivery ${id}`,
      note: `${event}, ${state}`,
      href: page.link(`/deliveries/${id}`),
    },
  ]
}

const findByUuid = async (page: WorkspacePage, uuid: string) =>
  (await page.admin.deliveries.list({ workspace: page.workspace.id }, { uuid, limit: 1 })).data[0]

async function findByNumber(page: WorkspacePage, text: string) {
  if (!/^\d{1,15}$/.test(text)) return undefined
  const found = await page.admin.deliveries.get({ workspace: page.workspace.id, id: Number(text) }).safe()
  return found.ok ? found.data : undefined
}

function Results({ found, text }: { readonly found: readonly SearchResult[]; readonly text: string }) {
  if (found.length === 0) return <p class="palette-none quiet">No results for “{text}”.</p>
  return (
    <ul class="palette-list">
      {found.map(({ icon, label, note, href }) => (
        <li>
          <a href={href}>
            <Icon name={icon} />
            <bdi class="clip">{label}</bdi>
            <span class="meta clip">{note}</span>
          </a>
        </li>
      ))}
    </ul>
  )
}

function SearchPage({
  page,
  text,
  results,
}: {
  readonly page: WorkspacePage
  readonly text: string
  readonly results: Child
}) {
  return (
    <>
      <PageHead title="Search">
        Searches pages, actions, tickets, people, and deliveries (by number or by the id that receivers see).
      </PageHead>
      <search class="toolbar">
        <form class="search" action={page.link('/search')}>
          <Icon name="search" />
          <input class="input" type="search" name="q" value={text} aria-label="Search" />
        </form>
      </search>
      <div class="form">{results}</div>
    </>
  )
}
