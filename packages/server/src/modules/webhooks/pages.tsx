import { type EventName, eventNames, eventSchemas, events } from '@service/contract'
import type { Subscription } from '@service/contract/admin/webhooks'
import { eventExamples } from '@service/contract/docs/event-examples'
import { fieldForms } from '@service/contract/field-forms'
import * as z from 'zod/mini'
import { Badge, Tag } from '../../ui/components/badge.tsx'
import { LinkButton } from '../../ui/components/button.tsx'
import { Code } from '../../ui/components/code.tsx'
import { Empty } from '../../ui/components/notice.tsx'
import { Pager, RowLink, Table } from '../../ui/components/table.tsx'
import { Tabs } from '../../ui/components/tabs.tsx'
import { Time } from '../../ui/components/time.tsx'
import { counted } from '../../ui/format.ts'
import { numberOrUndefined } from '../../ui/forms.ts'
import { type PageResult, show, type WorkspacePage, type WorkspacePages } from '../../ui/page-types.ts'
import {
  deleteEndpoint,
  disableEndpoint,
  enableEndpoint,
  endPreviousSecret,
  recoverDeliveries,
  rotateSecret,
  sendTestEvent,
} from './action-pages.tsx'
import { deliveryDetail, resendDelivery } from './delivery-pages.tsx'
import { endpointDetail } from './detail-pages.tsx'
import { createEndpoint, editEndpoint, newEndpoint, updateEndpoint } from './edit-pages.tsx'
import { endpointName, endpointState } from './endpoint-state.ts'

const role = 'admin'

export const webhookPages: WorkspacePages = [
  { method: 'GET', path: '/webhooks', role, handle: endpointList },
  { method: 'GET', path: '/webhooks/events', role, handle: eventCatalog },
  { method: 'GET', path: '/webhooks/new', role, handle: newEndpoint },
  { method: 'POST', path: '/webhooks', role, handle: createEndpoint },
  { method: 'GET', path: '/webhooks/{id}', role, handle: endpointDetail },
  { method: 'GET', path: '/webhooks/{id}/edit', role, handle: editEndpoint },
  { method: 'POST', path: '/webhooks/{id}', role, handle: updateEndpoint },
  { method: 'POST', path: '/webhooks/{id}/test', role, handle: sendTestEvent },
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
  const before = numberOrUndefined(page.query, 'before')
  const { data, next_before } = await page.admin.webhooks.list({ workspace: page.workspace.id }, { before })
  const create = (
    <LinkButton href={page.link('/webhooks/new')} look="primary" icon="plus" shortcut="c">
      New endpoint
    </LinkButton>
  )
  return show({
    title: 'Webhooks',
    live: true,
    action: create,
    body: (
      <>
        <h1 class="sr">Webhooks</h1>
        <WebhookTabs page={page} current="endpoints" />
        <div id="endpoints" data-live="webhooks deliveries">
          {data.length === 0 ? (
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
          ) : (
            <>
              <EndpointTable page={page} endpoints={data} />
              <Pager
                shown={counted(data.length, 'endpoint')}
                page={page}
                href={page.link('/webhooks')}
                next={next_before}
              />
            </>
          )}
        </div>
      </>
    ),
  })
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
        { name: 'Endpoint', look: 'wide' },
        { name: 'State' },
        { name: 'Events', look: 'wide-only' },
        { name: 'Last success', look: 'right wide-only' },
        { name: 'Failing since', look: 'right wide-only' },
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
  const { id, url, events, last_success_at, failing_since } = endpoint
  const { tone, word } = endpointState(endpoint)
  const name = endpointName(endpoint)
  return (
    <tr id={`endpoint-${id}`}>
      <td class="wide">
        <div class="clip">
          <RowLink id={`open-endpoint-${id}`} href={page.link(`/webhooks/${id}`)}>
            {name}
          </RowLink>{' '}
          <span class="meta wide-only">{url}</span>
        </div>
        <div class="second clip">{url ?? 'The address cannot be decrypted'}</div>
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
      <td class="right meta wide-only">
        <Time at={failing_since} />
      </td>
    </tr>
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
