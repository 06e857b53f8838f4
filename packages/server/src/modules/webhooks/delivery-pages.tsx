import type { DeliveryAttempt, DeliveryRequest, DeliveryWithBody } from '@service/contract/admin/deliveries'
import type { Overview } from '@service/contract/admin/overview'
import type { Subscription } from '@service/contract/admin/webhooks'
import { Badge, Tag } from '../../ui/components/badge.tsx'
import { ActionButton } from '../../ui/components/button.tsx'
import { Facts, PageHead } from '../../ui/components/card.tsx'
import type { Bar, Series } from '../../ui/components/chart.tsx'
import { Code } from '../../ui/components/code.tsx'
import { Time } from '../../ui/components/time.tsx'
import { clockTime, duration } from '../../ui/format.ts'
import { submit } from '../../ui/forms.ts'
import { type PageResult, recordRef, redirect, show, type WorkspacePage } from '../../ui/page-types.ts'
import { deliveryState, endpointName, findEndpoint } from './endpoint-state.ts'

export async function deliveryDetail(page: WorkspacePage): Promise<PageResult> {
  const ref = recordRef(page)
  const [delivery, attempts, request, curl] = await Promise.all([
    page.admin.deliveries.get(ref),
    page.admin.deliveries.attempts(ref),
    page.admin.deliveries.request(ref).safe(),
    page.admin.deliveries.curl(ref).safe(),
  ])
  const endpoint = await findEndpoint(page, delivery)
  const name = endpoint === undefined ? 'a deleted endpoint' : endpointName(endpoint)
  const { tone, word } = deliveryState(delivery, endpoint)
  // A finished delivery does not change, and a live update would close what the reader opened.
  const isPending = delivery.state === 'pending' && endpoint !== undefined
  return show({
    title: delivery.event,
    live: isPending,
    crumbs: [
      { label: 'Webhooks', href: page.link('/webhooks') },
      ...(endpoint === undefined ? [] : [{ label: name, href: page.link(`/webhooks/${endpoint.id}`) }]),
    ],
    body: (
      <div class="stack" id={`delivery-detail-${delivery.id}`} data-live={isPending ? 'deliveries' : undefined}>
        <PageHead
          title={delivery.event}
          badge={<Badge tone={tone}>{word}</Badge>}
          actions={
            endpoint !== undefined && (
              <ActionButton id="resend" action={page.link(`/deliveries/${delivery.id}/resend`)} icon="rotate-ccw">
                Resend
              </ActionButton>
            )
          }
        >
          To {name}
        </PageHead>
        <DeliveryFacts delivery={delivery} endpoint={endpoint} />
        {attempts.data.length > 0 && (
          <section class="section">
            <h2>Attempts</h2>
            <div class="card">
              {attempts.data.map((attempt, index) => (
                <Attempt attempt={attempt} isOpen={index === 0} />
              ))}
            </div>
          </section>
        )}
        <section class="section">
          <h2>Request</h2>
          <div class="stack">
            {request.ok && (
              <div class="card">
                <RequestHeaders request={request.data} />
              </div>
            )}
            <Code id="request-body" title="Body">
              {prettyJson(delivery.body)}
            </Code>
            {curl.ok && (
              <Code id="request-curl" title="curl command">
                {curl.data.curl}
              </Code>
            )}
          </div>
        </section>
      </div>
    ),
  })
}

interface FactsProps {
  readonly delivery: DeliveryWithBody
  readonly endpoint: Subscription | undefined
}

function DeliveryFacts({ delivery, endpoint }: FactsProps) {
  const { uuid, is_test, error, state, next_attempt_at, created_at, finished_at } = delivery
  const isGivenUp = endpoint === undefined && (state === 'held' || state === 'pending')
  return (
    <Facts
      facts={[
        ['Delivery', <code>{uuid}</code>],
        is_test && ['Kind', <Tag>test</Tag>],
        error !== null && ['Problem', error],
        ['Attempts', String(delivery.attempts)],
        state === 'pending' && !isGivenUp && ['Next attempt', <Time at={next_attempt_at} exact />],
        ['Event', <Time at={created_at} exact />],
        finished_at !== null && ['Finished', <Time at={finished_at} exact />],
      ]}
    />
  )
}

function Attempt({ attempt, isOpen }: { readonly attempt: DeliveryAttempt; readonly isOpen: boolean }) {
  const { id, number, status, error, response, duration_ms, started_at, ip } = attempt
  const succeeded = status !== null && status >= 200 && status < 300
  return (
    <details class="disclosure" open={isOpen} id={`attempt-${id}`}>
      <summary>
        <Badge tone={succeeded ? 'ok' : 'bad'}>{status ?? 'No response'}</Badge>
        <span class="clip">
          Attempt {number}
          {error !== null && <span class="quiet"> · {error}</span>}
        </span>
        <span class="meta">
          {duration(duration_ms)} · <Time at={started_at} />
        </span>
      </summary>
      <div class="card-body stack">
        <Facts
          facts={[
            ['Sent', <Time at={started_at} exact />],
            ['Took', duration(duration_ms)],
            ip !== null && ['Address', ip],
          ]}
        />
        {response !== null && response !== '' ? (
          <Code id={`response-${id}`} title="Response">
            {prettyJson(response)}
          </Code>
        ) : (
          <p class="meta">{status === null ? 'No response.' : 'The response had no body.'}</p>
        )}
      </div>
    </details>
  )
}

function RequestHeaders({ request }: { readonly request: DeliveryRequest }) {
  return (
    <details class="disclosure">
      <summary>
        <span class="clip">
          POST <code>{request.url}</code>
        </span>
        <span class="meta">{request.headers.length} headers</span>
      </summary>
      <div class="card-body">
        <Facts facts={request.headers.map(([name, value]) => [name, <code class="breakable">{value}</code>])} />
      </div>
    </details>
  )
}

/** Indents JSON; other text is unchanged. */
function prettyJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

export async function resendDelivery(page: WorkspacePage): Promise<PageResult> {
  const ref = recordRef(page)
  const result = await submit(page, page.admin.deliveries.resend(ref))
  const notice = result.ok ? 'Delivery queued' : (result.form.refusal ?? 'The delivery could not be queued.')
  return redirect(page.link(`/deliveries/${ref.id}`), notice)
}

export const deliverySeries: readonly Series[] = [
  { name: 'Delivered', tone: 'accent' },
  { name: 'Not delivered', tone: 'bad' },
]

/** Deliveries of the last day by event hour: successful ones, and others. */
export const deliveryHours = ({ parts }: Pick<Overview, 'parts'>, zone: string): readonly Bar[] =>
  parts.map(({ starts_at, deliveries_succeeded, deliveries_failed }, index) => ({
    label: index === parts.length - 1 ? 'Now' : clockTime(Date.parse(starts_at), zone),
    values: [deliveries_succeeded, deliveries_failed],
  }))
