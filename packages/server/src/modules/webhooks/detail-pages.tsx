import type { Delivery } from '@service/contract/admin/deliveries'
import type { Overview } from '@service/contract/admin/overview'
import type { Subscription } from '@service/contract/admin/webhooks'
import { Badge, Tag } from '../../ui/components/badge.tsx'
import { Button, LinkButton } from '../../ui/components/button.tsx'
import { Card, Facts, PageHead } from '../../ui/components/card.tsx'
import { BarChart, Legend } from '../../ui/components/chart.tsx'
import { Menu, MenuAction, MenuDialog, MenuLink } from '../../ui/components/dialog.tsx'
import { Banner, Empty } from '../../ui/components/notice.tsx'
import { NothingFoundYet, Pager, RowLink, Table } from '../../ui/components/table.tsx'
import { Segments } from '../../ui/components/tabs.tsx'
import { Time } from '../../ui/components/time.tsx'
import { count, pluralize } from '../../ui/format.ts'
import { numberOrUndefined, textOrUndefined, urlWith } from '../../ui/forms.ts'
import { type PageResult, show, type WorkspacePage } from '../../ui/page-types.ts'
import { EndpointDialogs } from './action-pages.tsx'
import { deliveryHours, deliverySeries } from './delivery-pages.tsx'
import { deliveryState, encodingWords, endpointName, endpointState, switchesOffAt } from './endpoint-state.ts'
import { waitingRetries } from './recover-pages.tsx'

const views = ['failed', 'held'] as const

export async function endpointDetail(page: WorkspacePage): Promise<PageResult> {
  const workspace = page.workspace.id
  const id = Number(page.params['id'])
  const state = textOrUndefined(page.query, 'state') as (typeof views)[number] | undefined // validated by the API
  const before = numberOrUndefined(page.query, 'before')
  const [endpoint, day, newest, shown] = await Promise.all([
    page.admin.webhooks.get({ workspace, id }),
    page.admin.overview.get({ workspace }, { subscription_id: id }),
    page.admin.deliveries.list({ workspace }, { subscription_id: id, limit: 25 }),
    page.admin.deliveries.list({ workspace }, { subscription_id: id, state, before, limit: 25 }),
  ])
  const { tone, word } = endpointState(endpoint)
  const waiting = page.query.has('changed') && (await waitingRetries(page, endpoint))
  const badge = (
    <span id="endpoint-state" class="row" data-live="webhooks deliveries">
      <Badge tone={tone}>{word}</Badge>
    </span>
  )
  return show({
    title: endpointName(endpoint),
    live: true,
    crumbs: [{ label: 'Webhooks', href: page.link('/webhooks') }],
    body: (
      <>
        <PageHead
          title={endpointName(endpoint)}
          badge={badge}
          actions={<EndpointActions page={page} endpoint={endpoint} />}
        >
          <code>{endpoint.url ?? 'The address cannot be decrypted: its key is lost.'}</code>
        </PageHead>
        {waiting}
        <div class="stack" id="endpoint-now" data-live="webhooks deliveries">
          <Trouble page={page} endpoint={endpoint} newest={newest.data} day={day} />
          <div class="split even">
            <LastDay page={page} day={day} />
            <EndpointFacts page={page} endpoint={endpoint} />
          </div>
          <Card title="Deliveries" aside={<Views page={page} id={id} current={state} />} flush>
            {shown.data.length === 0 ? (
              <NoDeliveries isEnd={shown.next_before === null} />
            ) : (
              <DeliveryTable page={page} endpoint={endpoint} deliveries={shown.data} />
            )}
          </Card>
          <Pager
            summary={pluralize(shown.data.length, 'delivery', 'deliveries')}
            page={page}
            href={urlWith(page.link(`/webhooks/${id}`), { state })}
            next={shown.next_before}
          />
        </div>
        <EndpointDialogs page={page} endpoint={endpoint} />
      </>
    ),
  })
}

function EndpointActions({ page, endpoint }: { readonly page: WorkspacePage; readonly endpoint: Subscription }) {
  const path = page.link(`/webhooks/${endpoint.id}`)
  return (
    <>
      <Button id="open-send-test" opens="send-test" icon="send">
        Send test event
      </Button>
      <LinkButton id="open-recover" href={`${path}/recover`} icon="refresh-cw" drawer>
        Recover…
      </LinkButton>
      <Menu label="More">
        <MenuLink href={`${path}/edit`} icon="pencil">
          Edit
        </MenuLink>
        <MenuDialog opens="rotate" icon="key-round">
          Rotate the secret…
        </MenuDialog>
        {endpoint.previous_secret_until !== null && (
          <MenuAction action={`${path}/end-previous-secret`} icon="lock">
            Revoke the old secret
          </MenuAction>
        )}
        {endpoint.enabled ? (
          <MenuAction action={`${path}/disable`} icon="pause">
            Switch off
          </MenuAction>
        ) : (
          <MenuAction action={`${path}/enable`} icon="play">
            Switch on
          </MenuAction>
        )}
        <hr class="menu-line" />
        <MenuDialog opens="delete" icon="trash-2" isDangerous>
          Delete…
        </MenuDialog>
      </Menu>
    </>
  )
}

interface TroubleProps {
  readonly page: WorkspacePage
  readonly endpoint: Subscription
  readonly newest: readonly Delivery[]
  readonly day: Overview
}

/** The endpoint's problem, its cause, and its deadline. */
function Trouble({ page, endpoint, newest, day }: TroubleProps) {
  const { id, enabled, disabled_reason, failing_since } = endpoint
  if (!enabled) return <SwitchedOff page={page} id={id} reason={disabled_reason} />
  if (failing_since === null) return null
  const failed = sumOf(day, 'deliveries_failed')
  const cause = newest.find(({ error }) => error !== null)?.error
  return (
    <Banner tone="warn">
      <strong>
        Failing since <Time at={failing_since} />.
      </strong>{' '}
      {failed > 0 && `${notArrived(failed)} `}
      {cause !== null && cause !== undefined && `${asSentence(cause)} `}
      It is switched off on <Time at={switchesOffAt(endpoint)} exact /> at the earliest, unless one succeeds.
    </Banner>
  )
}

const notArrived = (deliveries: number) =>
  deliveries === 1
    ? '1 delivery of the last 24 hours has not arrived.'
    : `${count(deliveries)} deliveries of the last 24 hours have not arrived.`

const asSentence = (text: string) => (/[.!?]$/.test(text) ? text : `${text}.`)

interface SwitchedOffProps {
  readonly page: WorkspacePage
  readonly id: number
  readonly reason: string | null
}

function SwitchedOff({ page, id, reason }: SwitchedOffProps) {
  const causes: Readonly<Record<string, string>> = {
    gone: 'The receiver answered 410 Gone.',
    failing: 'No delivery succeeded for five days.',
  }
  return (
    <Banner tone={reason === 'manual' ? 'info' : 'bad'}>
      <strong>Switched off.</strong> {causes[reason ?? ''] ?? 'It was disabled manually.'} Its events are held; after
      switching it on, recover them.{' '}
      <form method="post" action={page.link(`/webhooks/${id}/enable`)} class="inline">
        <button type="submit" class="link">
          Switch on
        </button>
      </form>
    </Banner>
  )
}

const sumOf = ({ parts }: Overview, name: 'deliveries_succeeded' | 'deliveries_failed') =>
  parts.reduce((total, part) => total + part[name], 0)

function LastDay({ page, day }: { readonly page: WorkspacePage; readonly day: Overview }) {
  const [delivered, failed] = [sumOf(day, 'deliveries_succeeded'), sumOf(day, 'deliveries_failed')]
  return (
    <Card title="Deliveries, last 24 hours" aside={<Legend series={deliverySeries} />}>
      <BarChart
        sentence={`${count(delivered)} delivered and ${count(failed)} not delivered in the last 24 hours.`}
        series={deliverySeries}
        bars={deliveryHours(day, page.zone)}
      />
    </Card>
  )
}

function EndpointFacts({ page, endpoint }: { readonly page: WorkspacePage; readonly endpoint: Subscription }) {
  const { events, last_success_at, last_failure_at, previous_secret_until, created_at } = endpoint
  const edit = (
    <LinkButton
      id="edit-endpoint"
      href={page.link(`/webhooks/${endpoint.id}/edit`)}
      variant="quiet"
      small
      icon="pencil"
    >
      Edit
    </LinkButton>
  )
  return (
    <Card title="Endpoint" aside={edit}>
      <Facts
        facts={[
          ['Events', events.map((pattern) => <Tag>{pattern}</Tag>)],
          ['Signature', encodingWords[endpoint.encoding as keyof typeof encodingWords]], // the API accepts no others
          previous_secret_until !== null && ['Old secret until', <Time at={previous_secret_until} exact />],
          endpoint.fifo && ['Order', 'In event order'],
          endpoint.rate_per_minute !== null && ['At most', `${count(endpoint.rate_per_minute)} a minute`],
          endpoint.schedule !== null && ['Waiting times', `${endpoint.schedule.join(', ')} s`],
          endpoint.header_names.length > 0 && ['Headers', endpoint.header_names.join(', ')],
          ['Last success', <Time at={last_success_at} />],
          ['Last failure', <Time at={last_failure_at} />],
          ['Created', <Time at={created_at} />],
        ]}
      />
    </Card>
  )
}

interface ViewsProps {
  readonly page: WorkspacePage
  readonly id: number
  readonly current: (typeof views)[number] | undefined
}

function Views({ page, id, current }: ViewsProps) {
  const path = page.link(`/webhooks/${id}`)
  return (
    <Segments
      label="Which deliveries"
      tabs={[
        { label: 'All', href: path, isCurrent: current === undefined },
        { label: 'Failed', href: `${path}?state=failed`, isCurrent: current === 'failed' },
        { label: 'Held', href: `${path}?state=held`, isCurrent: current === 'held' },
      ]}
    />
  )
}

function NoDeliveries({ isEnd }: { readonly isEnd: boolean }) {
  if (!isEnd) return <NothingFoundYet />
  return (
    <Empty icon="send" title="No deliveries here">
      Events that match the endpoint's subscription appear here. Test events appear too.
    </Empty>
  )
}

interface TableProps {
  readonly page: WorkspacePage
  readonly endpoint: Subscription
  readonly deliveries: readonly Delivery[]
}

function DeliveryTable({ deliveries, ...props }: TableProps) {
  return (
    <Table
      caption="Deliveries, newest first"
      columns={[
        { name: 'State' },
        { name: 'Event', classes: 'wide' },
        { name: 'Error', classes: 'wide-only' },
        { name: 'Attempts', classes: 'right wide-only' },
        { name: 'When', classes: 'right' },
      ]}
    >
      {deliveries.map((delivery) => (
        <DeliveryRow {...props} delivery={delivery} />
      ))}
    </Table>
  )
}

type RowProps = Omit<TableProps, 'deliveries'> & { readonly delivery: Delivery }

function DeliveryRow({ page, endpoint, delivery }: RowProps) {
  const { tone, word } = deliveryState(delivery, endpoint)
  const { id, event, error, attempts, is_test, created_at } = delivery
  return (
    <tr id={`delivery-${id}`}>
      <td class="tight">
        <Badge tone={tone}>{word}</Badge>
      </td>
      <td class="wide">
        <div class="clip">
          <RowLink id={`open-delivery-${id}`} href={page.link(`/deliveries/${id}`)} drawer>
            <code>{event}</code>
          </RowLink>{' '}
          {is_test && <Tag>test</Tag>}
        </div>
        <div class="second clip">{error ?? pluralize(attempts, 'attempt')}</div>
      </td>
      <td class="wide-only meta">{error ?? '–'}</td>
      <td class="right wide-only tight">{attempts}</td>
      <td class="right meta">
        <Time at={created_at} />
      </td>
    </tr>
  )
}
