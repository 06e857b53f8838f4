import { type EventName, eventNames, eventSchemas, events } from '@service/contract'
import { maxCount } from '@service/contract/admin/pages'
import type { subscriptionStates } from '@service/contract/admin/webhook-input'
import type { Subscription, SubscriptionCounts } from '@service/contract/admin/webhooks'
import { eventExamples } from '@service/contract/docs/event-examples'
import { fieldForms } from '@service/contract/field-forms'
import type { Child } from 'hono/jsx'
import * as z from 'zod/mini'
import { Badge, Tag } from '../../ui/components/badge.tsx'
import { LinkButton } from '../../ui/components/button.tsx'
import { Code } from '../../ui/components/code.tsx'
import { FilterBar } from '../../ui/components/filter-bar.tsx'
import { Empty } from '../../ui/components/notice.tsx'
import { PagedList, RowLink, Table } from '../../ui/components/table.tsx'
import { Segments, type Tab, Tabs } from '../../ui/components/tabs.tsx'
import { Time } from '../../ui/components/time.tsx'
import { pluralize } from '../../ui/format.ts'
import { textOrUndefined, urlWith } from '../../ui/forms.ts'
import { type PageResult, show, type WorkspacePage, type WorkspacePages } from '../../ui/page-types.ts'
import {
  deleteEndpoint,
  disableEndpoint,
  enableEndpoint,
  endPreviousSecret,
  rotateSecret,
  sendTestEvent,
} from './action-pages.tsx'
import { deliveryDetail, resendDelivery } from './delivery-pages.tsx'
import { endpointDetail } from './detail-pages.tsx'
import { createEndpoint, editEndpoint, newEndpoint, updateEndpoint } from './edit-pages.tsx'
import { endpointName, endpointState, switchesOffAt, timeUntilOff } from './endpoint-state.ts'
import { recoverDeliveries, recoverForm } from './recover-pages.tsx'

const role = 'admin'

export const webhookPages: WorkspacePages = [
  { method: 'GET', path: '/webhooks', role, handle: endpointList },
  { method: 'GET', path: '/webhooks/events', role, handle: eventCatalog },
  { method: 'GET', path: '/webhooks/new', role, creates: 'endpoint', handle: newEndpoint },
  { method: 'POST', path: '/webhooks', role, handle: createEndpoint },
  { method: 'GET', path: '/webhooks/{id}', role, handle: endpointDetail },
  { method: 'GET', path: '/webhooks/{id}/edit', role, handle: editEndpoint },
  { method: 'POST', path: '/webhooks/{id}', role, handle: updateEndpoint },
  { method: 'POST', path: '/webhooks/{id}/test', role, handle: sendTestEvent },
  { method: 'GET', path: '/webhooks/{id}/recover', role, handle: recoverForm },
  { method: 'POST', path: '/webhooks/{id}/recover', role, handle: recoverDeliveries },
  { method: 'POST', path: '/webhooks/{id}/rotate', role, handle: rotateSecret },
  { method: 'POST', path: '/webhooks/{id}/end-previous-secret', role, handle: endPreviousSecret },
  { method: 'POST', path: '/webhooks/{id}/enable', role, handle: enableEndpoint },
  { method: 'POST', path: '/webhooks/{id}/disable', role, handle: disableEndpoint },
  { method: 'POST', path: '/webhooks/{id}/delete', role, handle: deleteEndpoint },
  { method: 'GET', path: '/deliveries/{id}', role, handle: deliveryDetail },
  { method: 'POST', path: '/deliveries/{id}/resend', role, handle: resendDelivery },
]

/** The webhook tabs: endpoints and the event catalog. */
function WebhookTabs({ page, current }: { readonly page: WorkspacePage; readonly current: 'endpoints' | 'events' }) {
  const tabs = [
    { label: 'Endpoints', href: page.link('/webhooks'), isCurrent: current === 'endpoints' },
    { label: 'Event catalog', href: page.link('/webhooks/events'), isCurrent: current === 'events' },
  ]
  return <Tabs label="Webhooks" tabs={tabs} />
}

async function endpointList(page: WorkspacePage): Promise<PageResult> {
  const workspace = page.workspace.id
  const state = textOrUndefined(page.query, 'state') as (typeof subscriptionStates)[number] | undefined // validated by the API
  const search = page.query.text('search') || undefined
  const cursor = page.query.text('cursor') || undefined
  const [list, counts] = await Promise.all([
    page.admin.webhooks.list({ workspace }, { sort: 'state', state, search, cursor }),
    page.admin.webhooks.count({ workspace }),
  ])
  const create = (
    <LinkButton href={page.link('/webhooks/new')} variant="primary" icon="plus" shortcut="c">
      New endpoint
    </LinkButton>
  )
  const isEmpty = counts.failing + counts.active + counts.off === 0
  return show({
    title: 'Webhooks',
    live: true,
    action: create,
    body: (
      <>
        <h1 class="sr">Webhooks</h1>
        <WebhookTabs page={page} current="endpoints" />
        {!isEmpty && (
          <FilterBar
            path={page.link('/webhooks')}
            query={page.query}
            filters={[]}
            search="Search endpoints"
            preserved={['state']}
          >
            <div id="endpoint-states" data-live="webhooks deliveries">
              <Segments label="State" tabs={stateTabs(page, counts)} />
            </div>
          </FilterBar>
        )}
        <div id="endpoints" data-live="webhooks deliveries">
          <PagedList
            isEmpty={list.data.length === 0}
            empty={isEmpty ? <NoEndpoints page={page} create={create} /> : <NoMatches page={page} />}
            summary={pluralize(list.data.length, 'endpoint')}
            page={page}
            href={urlWith(page.link('/webhooks'), { state, search })}
            next={list.next_before}
            cursor={list.next_cursor}
          >
            <EndpointTable page={page} endpoints={list.data} />
          </PagedList>
        </div>
      </>
    ),
  })
}

const NoMatches = ({ page }: { readonly page: WorkspacePage }) => (
  <Empty
    icon="search"
    title="No endpoints match"
    actions={<LinkButton href={page.link('/webhooks')}>All endpoints</LinkButton>}
  >
    Searches names and addresses.
  </Empty>
)

function stateTabs(page: WorkspacePage, counts: SubscriptionCounts): readonly Tab[] {
  const current = page.query.text('state')
  const tab = (state: string, label: string, count: number): Tab => ({
    label,
    href: urlWith(page.link('/webhooks'), { state, search: page.query.text('search') }),
    isCurrent: current === state,
    count: count < maxCount ? count : `${maxCount - 1}+`,
  })
  const { failing, active, off } = counts
  return [
    tab('', 'All', failing + active + off),
    tab('failing', 'Failing', failing),
    tab('active', 'Active', active),
    tab('off', 'Off', off),
  ]
}

function NoEndpoints({ page, create }: { readonly page: WorkspacePage; readonly create: Child }) {
  return (
    <Empty
      icon="webhook"
      title="No endpoints yet"
      actions={
        <>
          {create}
          <LinkButton href={page.link('/webhooks/events')}>Browse events</LinkButton>
        </>
      }
    >
      An endpoint receives a signed request for each event, with retries until it responds with 2xx.
    </Empty>
  )
}

function EndpointTable({
  page,
  endpoints,
}: {
  readonly page: WorkspacePage
  readonly endpoints: readonly Subscription[]
}) {
  return (
    <Table
      bleed
      caption="Endpoints"
      columns={[
        { name: 'Endpoint', classes: 'wide' },
        { name: 'State' },
        { name: 'Events', classes: 'wide-only' },
        { name: 'Last success', classes: 'right wide-only' },
        { name: 'Switches off', classes: 'right wide-only' },
      ]}
    >
      {endpoints.map((endpoint) => (
        <EndpointRow page={page} endpoint={endpoint} />
      ))}
    </Table>
  )
}

const shownEvents = 2

function EndpointRow({ page, endpoint }: { readonly page: WorkspacePage; readonly endpoint: Subscription }) {
  const { id, url, events, last_success_at } = endpoint
  const { tone, word } = endpointState(endpoint)
  const switchesOff = <SwitchesOff endpoint={endpoint} now={page.now} />
  return (
    <tr id={`endpoint-${id}`}>
      <td class="wide">
        <div class="clip">
          <RowLink id={`open-endpoint-${id}`} href={page.link(`/webhooks/${id}`)}>
            {endpointName(endpoint)}
          </RowLink>{' '}
          <span class="meta wide-only">{url}</span>
        </div>
        <div class="second clip">
          {switchesOffAt(endpoint) === undefined ? (
            (url ?? 'The address cannot be decrypted')
          ) : (
            <>Switches off {switchesOff}</>
          )}
        </div>
      </td>
      <td class="tight">
        <Badge tone={tone}>{word}</Badge>
      </td>
      <td class="wide-only tight">
        {events.slice(0, shownEvents).map((pattern) => (
          <Tag>{pattern}</Tag>
        ))}
        {events.length > shownEvents && <span class="meta"> +{events.length - shownEvents}</span>}
      </td>
      <td class="right meta wide-only">
        <Time at={last_success_at} />
      </td>
      <td class="right meta wide-only">{switchesOff}</td>
    </tr>
  )
}

const dayMs = 24 * 3_600_000

/** The time until a failing endpoint is switched off, highlighted on the last day. */
function SwitchesOff({ endpoint, now }: { readonly endpoint: Subscription; readonly now: number }) {
  const at = switchesOffAt(endpoint)
  if (at === undefined) return <>–</>
  return (
    <time dateTime={at} class={Date.parse(at) - now < dayMs ? 'late' : undefined}>
      {timeUntilOff(endpoint, now)}
    </time>
  )
}

/** The event catalog: the fields and an example of each event. */
function eventCatalog(page: WorkspacePage): PageResult {
  return show({
    title: 'Event catalog',
    crumbs: [{ label: 'Webhooks', href: page.link('/webhooks') }],
    body: (
      <>
        <h1 class="sr">Event catalog</h1>
        <WebhookTabs page={page} current="events" />
        <div class="card">
          {eventNames.map((name) => (
            <CatalogEntry name={name} />
          ))}
        </div>
      </>
    ),
  })
}

function CatalogEntry({ name }: { readonly name: EventName }) {
  return (
    <details class="disclosure" id={name} name="events">
      <summary>
        <strong>
          <code>{name}</code>
        </strong>
        <span class="quiet clip">When {events[name]}</span>
      </summary>
      <div class="split card-body">
        <Code id={`example-${name}`} title="Example">
          {JSON.stringify(eventExamples[name], null, 2)}
        </Code>
        <div class="scroller table-frame">
          <Table caption={`Fields of ${name}`} columns={[{ name: 'Field' }, { name: 'Type' }]}>
            {fieldsOf(z.toJSONSchema(eventSchemas[name], { metadata: fieldForms })).map(({ path, type }) => (
              <tr>
                <td>
                  <code>{path}</code>
                </td>
                <td class="meta">{type}</td>
              </tr>
            ))}
          </Table>
        </div>
      </div>
    </details>
  )
}

interface Field {
  readonly path: string
  readonly type: string
}

/** The fields of an object and its nested objects, flattened. */
function fieldsOf(schema: z.core.JSONSchema.BaseSchema, prefix = ''): readonly Field[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    if (typeof field === 'boolean') return []
    const path = `${prefix}${name}`
    return [{ path, type: typeOf(field) }, ...fieldsOf(objectIn(field), `${path}.`)]
  })
}

/** In a nullable field, the object is one branch of a union. */
const objectIn = (field: z.core.JSONSchema.BaseSchema): z.core.JSONSchema.BaseSchema =>
  field.anyOf?.find(({ properties }) => properties !== undefined) ?? field

function typeOf({ type, const: value, anyOf }: z.core.JSONSchema.BaseSchema): string {
  if (value !== undefined) return JSON.stringify(value)
  if (anyOf !== undefined) return [...new Set(anyOf.map(typeOf))].join(' or ')
  return [type ?? 'any'].flat().join(' or ')
}
