import { maxTitleLength, toTicketNumber } from '@service/contract'
import type { Child } from 'hono/jsx'
import { PageHead } from '../../ui/components/card.tsx'
import { Icon } from '../../ui/components/icon.tsx'
import { authorOf } from '../../ui/components/person.tsx'
import { words } from '../../ui/format.ts'
import { urlWith } from '../../ui/forms.ts'
import type { IconName } from '../../ui/icon-names.ts'
import { navigation } from '../../ui/navigation.ts'
import { type PageResult, show, type WorkspacePage, type WorkspacePages } from '../../ui/page-types.ts'
import { type AnyResource, getField, pathOf } from '../../ui/resource/resource.ts'
import { deliveryState, findEndpoint } from '../webhooks/endpoint-state.ts'

/** The search over these resources, and over the forms of these pages. */
export const searchPages = (searched: Searched): WorkspacePages => [
  { method: 'GET', path: '/search', handle: (page) => search(page, searched) },
]

interface Searched {
  readonly resources: readonly AnyResource[]
  readonly pages: WorkspacePages
}

/** A search result. */
interface SearchResult {
  readonly icon: IconName
  readonly label: Child
  readonly note?: Child
  readonly href: string
}

interface ResultGroup {
  readonly label: string
  readonly results: readonly SearchResult[]
  /** The link to all matches, if there are more. */
  readonly all?: { readonly label: string; readonly href: string } | undefined
}

const maxPages = 6
/** The most results of a kind that are shown. */
const maxShown = 3
/** With this many matches or more, their number is not shown. */
const maxCounted = 20

/** Pages, actions, and records that match a text. The palette shows only the results. */
async function search(page: WorkspacePage, searched: Searched): Promise<PageResult> {
  const text = page.query.text('q')
  const isTooLong = text.length > maxTitleLength
  const groups = isTooLong ? [] : await find(page, { ...searched, text })
  const results = isTooLong ? (
    <p class="palette-none quiet">
      Search for at most {maxTitleLength} characters. These are {text.length}.
    </p>
  ) : (
    <Results groups={groups.filter(({ results, all }) => results.length > 0 || all !== undefined)} text={text} />
  )
  return show({
    title: 'Search',
    body: page.isFragment ? results : <SearchPage page={page} text={text} results={results} />,
  })
}

interface Wanted extends Searched {
  readonly text: string
}

async function find(page: WorkspacePage, { text, resources, pages }: Wanted): Promise<readonly ResultGroup[]> {
  const goTo = { label: 'Go to', results: [...findPages(page, text), ...findActions(page, { text, pages })] }
  if (text === '') return [goTo]
  const [first, ...groups] = await Promise.all([
    findByNumber(page, text),
    ...resources.map((resource) => findRecords(page, { resource, text })),
    findErrors(page, text),
    findMessages(page, text),
    findMembers(page, text),
    findDelivery(page, text),
  ])
  return [first, createPersonGroup(page, text), goTo, ...groups]
}

const contains = (name: string, text: string) => name.toLowerCase().includes(text.toLowerCase())

function findPages(page: WorkspacePage, text: string): SearchResult[] {
  return navigation
    .flatMap(({ label, items }) => items.map((item) => ({ ...item, note: label ?? 'Work' })))
    .filter(({ path, label }) => page.has(path) && contains(label, text))
    .map(({ path, label, icon, note }) => ({ icon, label, note, href: page.link(path) }))
    .slice(0, text === '' ? 30 : maxPages)
}

/** Also finds `create token`. */
const matchesAction = (label: string, text: string) =>
  text.split(' ').every((word) => contains(`${label} create add`, word))

/** The forms for new records. */
const findActions = (page: WorkspacePage, { text, pages }: Pick<Wanted, 'text' | 'pages'>): SearchResult[] =>
  pages
    .flatMap(({ path, creates }) => (creates === undefined ? [] : [{ path, label: `New ${creates}` }]))
    .filter(({ path, label }) => page.has(path) && matchesAction(label, text))
    .map(({ path, label }) => ({ icon: 'plus', label, note: 'Action', href: page.link(path) }))

const isNumber = (text: string) => /^\d{1,15}$/.test(text)

/** A ticket's number as people write it: `27`, `#27`, `tkt 27`, or `TKT-00027`. */
const ticketNumber = /^(?:#|tkt[ -]?)?(\d{1,15})$/i

async function findByNumber(page: WorkspacePage, text: string): Promise<ResultGroup> {
  const digits = ticketNumber.exec(text.trim())?.[1]
  const number = digits === undefined ? undefined : toTicketNumber(Number(digits))
  const { data } =
    number !== undefined
      ? await page.admin.tickets.list({ workspace: page.workspace.id }, { search: number, limit: maxCounted })
      : { data: [] }
  return {
    label: 'Ticket',
    results: data
      .filter(({ ticket_number }) => ticket_number === number)
      .map(({ id, title, ticket_number }) => ({
        icon: 'ticket',
        label: title,
        note: ticket_number,
        href: page.link(`/tickets/${id}`),
      })),
  }
}

/** An e-mail address, also as it is copied: `Kim <kim@example.com>` or `mailto:kim@example.com?subject=Hello`. */
const copiedAddress = /^(?:[^<>@]*<)?(?:mailto:)?([^\s@<>]+@[^\s@<>?]+)(?:>|\?.*)?$/i

/** Leads to everything about the person with an e-mail address. */
function createPersonGroup(page: WorkspacePage, text: string): ResultGroup {
  const email = copiedAddress.exec(text)?.[1]
  const href = urlWith(page.link('/person'), { email })
  return {
    label: 'Person',
    results: email === undefined ? [] : [{ icon: 'user', label: `Everything about ${email}`, href }],
  }
}

interface Found<Row> {
  readonly data: readonly Row[]
  /** Not null if the search ended at its limit, and older records may match. */
  readonly next_before: number | null
  readonly noun: string
  readonly href: string
}

/** The first matches, and a link to all of them. Members have no index, so only the newest are searched. */
function toGroup<Row>(
  { data, next_before, noun, href }: Found<Row>,
  toResult: (row: Row) => SearchResult,
): ResultGroup {
  const isWhole = next_before === null || data.length >= maxCounted
  const counted = data.length < maxCounted ? `All ${data.length} ${noun}s` : `All ${noun}s`
  const all = isWhole ? counted : `Search older ${noun}s`
  return {
    label: words(`${noun}s`),
    results: data.slice(0, maxShown).map(toResult),
    all: data.length > maxShown || !isWhole ? { label: all, href } : undefined,
  }
}

interface SearchedResource {
  readonly resource: AnyResource
  readonly text: string
}

async function findRecords(page: WorkspacePage, { resource, text }: SearchedResource): Promise<ResultGroup> {
  const { noun, icon, list, board } = resource
  const path = page.link(pathOf(resource))
  const call = resource.api(page.admin).list({ workspace: page.workspace.id }, { search: text, limit: maxCounted })
  const found = await call.safe()
  // A query without words, such as only punctuation, has no results.
  const { data, next_before } = found.ok ? found.data : { data: [], next_before: null }
  const href = urlWith(path, { ...(board !== undefined && { view: 'list' }), search: text })
  return toGroup({ data, next_before, noun, href }, (row) => {
    const context = { page, names: {}, row }
    const label = getField(resource, list.link).show(row[list.link], context)
    return { icon, label, note: list.secondLine?.(row, context), href: `${path}/${row.id}` }
  })
}

async function findErrors(page: WorkspacePage, text: string): Promise<ResultGroup> {
  const found = await page.admin.errorReports.list(
    { workspace: page.workspace.id },
    { search: text, limit: maxCounted },
  )
  const href = urlWith(page.link('/errors'), { search: text })
  return toGroup({ ...found, noun: 'error', href }, ({ id, exception, message, app }) => ({
    icon: 'bug',
    label: exception ?? message,
    note: [app, exception === null ? null : message].filter(Boolean).join(' · '),
    href: page.link(`/errors/${id}`),
  }))
}

async function findMessages(page: WorkspacePage, text: string): Promise<ResultGroup> {
  const found = await page.admin.messages.list({ workspace: page.workspace.id }, { search: text, limit: maxCounted })
  const href = urlWith(page.link('/messages'), { search: text })
  return toGroup({ ...found, noun: 'message', href }, (message) => ({
    icon: 'message-square',
    label: message.body.slice(0, 200),
    note: authorOf(message),
    href: page.link(message.ticket_id === null ? `/messages/${message.channel_id}` : `/tickets/${message.ticket_id}`),
  }))
}

async function findMembers(page: WorkspacePage, text: string): Promise<ResultGroup> {
  const found = await page.admin.members.list({ workspace: page.workspace.id }, { search: text, limit: maxCounted })
  const href = urlWith(page.link('/settings/members'), { search: text })
  return toGroup({ ...found, noun: 'member', href }, ({ id, name, email }) => ({
    icon: 'user',
    label: name,
    note: email,
    href: page.link(`/tickets?assigned_to=${id}`),
  }))
}

const isUuid = (text: string) => /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text)

/** Finds a delivery by its number or by the UUID that receivers see. */
async function findDelivery(page: WorkspacePage, text: string): Promise<ResultGroup> {
  const at = { workspace: page.workspace.id }
  const isWanted = page.has('/webhooks') && (isUuid(text) || isNumber(text))
  const uuid = isWanted && isUuid(text) ? (await page.admin.deliveries.list(at, { uuid: text, limit: 1 })).data : []
  const byNumber =
    isWanted && isNumber(text) ? await page.admin.deliveries.get({ ...at, id: Number(text) }).safe() : undefined
  const results = [...uuid, ...(byNumber?.ok === true ? [byNumber.data] : [])].map(async (delivery) => ({
    icon: 'send' as const,
    label: `Delivery ${delivery.id}`,
    note: `${delivery.event}, ${deliveryState(delivery, await findEndpoint(page, delivery)).word.toLowerCase()}`,
    href: page.link(`/deliveries/${delivery.id}`),
  }))
  return { label: 'Deliveries', results: await Promise.all(results) }
}

function Results({ groups, text }: { readonly groups: readonly ResultGroup[]; readonly text: string }) {
  if (groups.length === 0) return <p class="palette-none quiet">No results for “{text}”.</p>
  return (
    <>
      {groups.map(({ label, results, all }) => (
        <>
          <p class="palette-group meta" aria-hidden="true">
            {label}
          </p>
          <ul class="palette-list" aria-label={label}>
            {results.map(({ icon, label, note, href }) => (
              <li>
                <a href={href}>
                  <Icon name={icon} />
                  <bdi class="clip">{label}</bdi>
                  {note !== undefined && <span class="meta clip">{note}</span>}
                </a>
              </li>
            ))}
            {all !== undefined && (
              <li>
                <a href={all.href}>
                  <Icon name="search" />
                  {all.label}
                </a>
              </li>
            )}
          </ul>
        </>
      ))}
    </>
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
        Searches pages, actions, and records by the beginnings of words, and deliveries by number or by the id that
        receivers see. An e-mail address finds <a href={page.link('/person')}>everything about a person</a>.
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
