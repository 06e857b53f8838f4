import type { EventName } from '@service/contract'
import { eventNames } from '@service/contract'
import type { RotatedSubscription, Subscription } from '@service/contract/admin/webhooks'
import { ActionButton, Button, LinkButton } from '../../ui/components/button.tsx'
import { Facts, PageHead } from '../../ui/components/card.tsx'
import { Secret } from '../../ui/components/code.tsx'
import { Dialog } from '../../ui/components/dialog.tsx'
import { SelectField } from '../../ui/components/form.tsx'
import { FormKey } from '../../ui/components/form-key.tsx'
import { Banner } from '../../ui/components/notice.tsx'
import { Time } from '../../ui/components/time.tsx'
import { idempotency, newForm, numberOrUndefined, refusalOf, submit } from '../../ui/forms.ts'
import { type PageResult, recordRef, redirect, show, type WorkspacePage } from '../../ui/page-types.ts'
import { endpointName } from './endpoint-state.ts'
import { waitingRetries } from './recover-pages.tsx'

const endpointLink = (page: WorkspacePage) => page.link(`/webhooks/${page.params['id']}`)

export async function sendTestEvent(page: WorkspacePage): Promise<PageResult> {
  const event = page.form.text('event') as EventName // the server rejects unknown events
  const result = await submit(page, page.admin.webhooks.sendTest(recordRef(page), { event }))
  return redirect(endpointLink(page), result.ok ? `${event} sent` : refusalOf(result.form))
}

export async function enableEndpoint(page: WorkspacePage): Promise<PageResult> {
  const endpoint = await page.admin.webhooks.enable(recordRef(page))
  return redirect(endpointLink(page), `${endpointName(endpoint)} is switched on`)
}

export async function disableEndpoint(page: WorkspacePage): Promise<PageResult> {
  const endpoint = await page.admin.webhooks.disable(recordRef(page))
  return redirect(endpointLink(page), `${endpointName(endpoint)} is switched off`)
}

export async function deleteEndpoint(page: WorkspacePage): Promise<PageResult> {
  await page.admin.webhooks.delete(recordRef(page))
  return redirect(page.link('/webhooks'), 'Endpoint deleted')
}

export async function endPreviousSecret(page: WorkspacePage): Promise<PageResult> {
  await page.admin.webhooks.revokePreviousSecret(recordRef(page))
  return redirect(endpointLink(page), 'Old secret revoked')
}

export async function rotateSecret(page: WorkspacePage): Promise<PageResult> {
  const overlap_hours = numberOrUndefined(page.form, 'overlap')
  return rotated(
    page,
    await page.admin.webhooks.rotateSecret(recordRef(page), { overlap_hours }, idempotency(page.form)),
  )
}

async function rotated(page: WorkspacePage, endpoint: RotatedSubscription): Promise<PageResult> {
  const waiting = await waitingRetries(page, endpoint)
  const { previous_secret_until: until } = endpoint
  return show({
    title: 'New secret',
    crumbs: [
      { label: 'Webhooks', href: page.link('/webhooks') },
      { label: endpointName(endpoint), href: endpointLink(page) },
    ],
    body: (
      <>
        <PageHead title="New signing secret">
          {until === null
            ? 'Deliveries are now signed with this secret only.'
            : 'Deliveries are now signed with both this secret and the old one, until the overlap ends.'}
        </PageHead>
        <div class="stack form">
          {waiting}
          {endpoint.warning !== null && <Banner tone="warn">{endpoint.warning}</Banner>}
          <Secret id="secret" value={endpoint.secret} label="Signing secret" />
          {until !== null && <Facts facts={[['Old secret valid until', <Time at={until} exact />]]} />}
          <div class="row">
            <LinkButton href={endpointLink(page)}>Back to the endpoint</LinkButton>
            {until !== null && (
              <ActionButton action={`${endpointLink(page)}/end-previous-secret`} variant="quiet">
                Revoke the old secret now
              </ActionButton>
            )}
          </div>
        </div>
      </>
    ),
  })
}

interface Props {
  readonly page: WorkspacePage
  readonly endpoint: Subscription
}

/** The dialogs that confirm actions on an endpoint. */
export function EndpointDialogs({ page, endpoint }: Props) {
  const path = page.link(`/webhooks/${endpoint.id}`)
  const state = newForm({ event: 'ticket.created', overlap: '24' })
  return (
    <>
      <Dialog id="send-test" title="Send a test event">
        <p>Sends an example event, marked as a test. It is signed and delivered like any other event.</p>
        <form method="post" action={`${path}/test`} class="form">
          <SelectField
            name="event"
            label="Event"
            options={eventNames.map((value) => ({ value, label: value }))}
            state={state}
          />
          <Button variant="primary">Send test event</Button>
        </form>
      </Dialog>
      <Dialog id="rotate" title="Rotate the signing secret">
        <p>
          Creates a new secret and shows it once.{' '}
          {endpoint.standard_webhooks
            ? 'During the overlap, webhook-signature contains one signature per secret.'
            : 'It signs immediately, so give receivers both secrets first.'}
        </p>
        <form method="post" action={`${path}/rotate`} class="form">
          <FormKey />
          <SelectField name="overlap" label="Old secret valid for" options={overlaps} state={state} />
          <Button variant="primary">Rotate the secret</Button>
        </form>
      </Dialog>
      <Dialog id="delete" title={`Delete ${endpointName(endpoint)}?`}>
        <p>Deliveries stop, and pending deliveries are lost. This cannot be undone.</p>
        <ActionButton action={`${path}/delete`} variant="danger">
          Delete endpoint
        </ActionButton>
      </Dialog>
    </>
  )
}

const overlaps = [
  { value: '24', label: 'One more day' },
  { value: '168', label: 'One more week' },
  { value: '1', label: 'One more hour' },
  { value: '0', label: 'Not at all' },
]
