import type { Subscription } from '@service/contract/admin/webhooks'
import { Badge, Tag } from '../../ui/components/badge.tsx'
import { LinkButton } from '../../ui/components/button.tsx'
import { Empty } from '../../ui/components/notice.tsx'
import { Pager, RowLink, Table } from '../../ui/components/table.tsx'
import { Tabs } from '../../ui/components/tabs.tsx'
import { Time } from '../../ui/components/time.tsx'
import { counted } from '../../ui/format.ts'
import { numberOrUndefined } from '../../ui/forms.ts'
import { type PageResult, show, type WorkspacePage } from '../../ui/page-types.ts'
import { endpointName, endpointState } from './endpoint-state.ts'

/** The views that belong together: what is sent to whom, and what there is to send. */
export function WebhookTabs({
  page,
  current,
}: {
  readonly page: WorkspacePage
  readonly current: 'endpoints' | 'events'
}) {
  const tabs = [
    { label: 'Endpoints', href: page.link('/webhooks'), isCurrent: current === 'endpoints' },
    { label: 'Event catalogue', href: page.link('/webhooks/events'), isCurrent: current === 'events' },
  ]
  return <Tabs label="Webhooks" tabs={tabs} />
}

export async function endpointList(page: WorkspacePage): Promise<PageResult> {
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
                  <LinkButton href={page.link('/webhooks/events')}>What can be sent</LinkButton>
                </>
              }
            >
              An endpoint is an address that gets a signed request for each event, and again until it answers 2xx.
            </Empty>
          ) : (
            <>
              <EndpointTable page={page} endpoints={data} />
              <Pager
                shown={counted(data.length, 'endpoint')}
                older={next_before === null ? undefined : page.link(`/webhooks?before=${next_before}`)}
                newest={before === undefined ? undefined : page.link('/webhooks')}
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
        <div class="second clip">{url ?? 'Its address cannot be read'}</div>
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
