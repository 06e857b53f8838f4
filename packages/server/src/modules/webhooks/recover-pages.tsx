import type { Subscription } from '@service/contract/admin/webhooks'
import { localDay } from '../../core/zones.ts'
import { ActionButton, Button } from '../../ui/components/button.tsx'
import { PageHead } from '../../ui/components/card.tsx'
import { FormFoot, TextField } from '../../ui/components/form.tsx'
import { Banner } from '../../ui/components/notice.tsx'
import { pluralize, startOfDay } from '../../ui/format.ts'
import { newForm, submit } from '../../ui/forms.ts'
import { type PageResult, recordRef, redirect, show, type WorkspacePage } from '../../ui/page-types.ts'
import { endpointName } from './endpoint-state.ts'

/** The deliveries of an endpoint that a recovery sends now. */
interface Recoverable {
  readonly count: number
  readonly retrying: number
  readonly failed: number
  readonly held: number
}

/** Longer than the default schedule of retries. */
const usualPeriodMs = 5 * 24 * 3_600_000

/** The start of a recovery, unless the reader chooses another day. */
const usualStart = ({ failing_since, disabled_at }: Subscription, { now, zone }: WorkspacePage): string => {
  const starts = [failing_since, disabled_at].filter((at) => at !== null).map((at) => Date.parse(at))
  return localDay(Math.min(now - usualPeriodMs, ...starts), zone)
}

const countRecoverable = (page: WorkspacePage, day: string) =>
  page.admin.webhooks.recover(recordRef(page), { since: startOfDay(day, page.zone), dry_run: true })

const nothing: Recoverable = { count: 0, retrying: 0, failed: 0, held: 0 }

/** Counts what a recovery would send, and starts it. */
export async function recoverForm(page: WorkspacePage): Promise<PageResult> {
  const endpoint = await page.admin.webhooks.get(recordRef(page))
  const own = page.link(`/webhooks/${endpoint.id}`)
  const day = page.query.text('since') || usualStart(endpoint, page)
  const result = await submit(page, countRecoverable(page, day))
  const found = result.ok && 'count' in result.data ? result.data : nothing
  const state = result.ok ? newForm({ since: day }) : { ...result.form, text: () => day }
  return show({
    title: 'Recover deliveries',
    crumbs: [
      { label: 'Webhooks', href: page.link('/webhooks') },
      { label: endpointName(endpoint), href: own },
    ],
    status: state.status,
    body: (
      <>
        <PageHead title="Recover deliveries">
          Retrying deliveries have attempts left, failed ones have given up, and held ones wait for their endpoint.
          Recover sends all of them now.
        </PageHead>
        <div class="stack form">
          <form method="get" action={`${own}/recover`} class="form">
            <TextField name="since" label={`Since, ${page.zone}`} type="date" narrow state={state} />
            <FormFoot>
              <Button>Count</Button>
            </FormFoot>
          </form>
          <p role="status">{summaryOf(found)}</p>
          <FormFoot>
            <ActionButton
              id="resend-deliveries"
              action={`${own}/recover`}
              fields={{ since: day }}
              variant="primary"
              disabledBecause={findRefusal(endpoint, found)}
            >
              {`Resend ${pluralize(found.count, 'delivery', 'deliveries')}`}
            </ActionButton>
          </FormFoot>
        </div>
      </>
    ),
  })
}

/** `Resend 6 deliveries: 6 retrying, 0 failed, 0 held` */
const summaryOf = ({ count, retrying, failed, held }: Recoverable): string =>
  `Resend ${pluralize(count, 'delivery', 'deliveries')}: ${retrying} retrying, ${failed} failed, ${held} held`

function findRefusal({ enabled }: Subscription, { count }: Recoverable): string | undefined {
  if (!enabled) return 'Switch the endpoint on first.'
  return count === 0 ? 'There is nothing to send since then.' : undefined
}

export async function recoverDeliveries(page: WorkspacePage): Promise<PageResult> {
  const day = page.form.text('since')
  const own = page.link(`/webhooks/${page.params['id']}`)
  const counted = await submit(page, countRecoverable(page, day))
  const started = await submit(
    page,
    page.admin.webhooks.recover(recordRef(page), { since: startOfDay(day, page.zone) }),
  )
  if (!started.ok)
    return redirect(own, started.form.refusal ?? started.form.problems[0]?.sentence ?? 'The change could not be made.')
  const found = counted.ok && 'count' in counted.data ? counted.data.count : 0
  return redirect(own, `Resending ${pluralize(found, 'delivery', 'deliveries')}`)
}

/** After a change of the address or the secret: what waits for its retry can be sent now. */
export async function waitingRetries(page: WorkspacePage, endpoint: Subscription) {
  if (!endpoint.enabled) return null
  const since = usualStart(endpoint, page)
  const found = await countRecoverable(page, since)
  if (!('count' in found) || found.retrying === 0) return null
  const { retrying, count } = found
  return (
    <Banner tone="info">
      {pluralize(retrying, 'delivery waits for its retry', 'deliveries wait for their retry')}
      {count > retrying && `, and ${count - retrying} failed or held`}.{' '}
      <form method="post" action={page.link(`/webhooks/${endpoint.id}/recover`)} class="inline">
        <input type="hidden" name="since" value={since} />
        <button type="submit" class="link" id="send-now">
          Send now
        </button>
      </form>
    </Banner>
  )
}
