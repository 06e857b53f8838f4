import type { Subscription } from '@service/client/admin'
import { eventNames } from '@service/contract'
import { ActionButton, Button } from '../../ui/components/button.tsx'
import { Dialog } from '../../ui/components/dialog.tsx'
import { SelectField, TextField } from '../../ui/components/form.tsx'
import { dayOf } from '../../ui/format.ts'
import { freshForm } from '../../ui/forms.ts'
import type { WorkspacePage } from '../../ui/page-types.ts'
import { endpointName } from './endpoint-state.ts'

interface Props {
  readonly page: WorkspacePage
  readonly endpoint: Subscription
}

const dayMs = 24 * 3_600_000

/** What is asked before something is done with an endpoint. */
export function EndpointDialogs({ page, endpoint }: Props) {
  const own = page.link(`/webhooks/${endpoint.id}`)
  const since = endpoint.failing_since ?? endpoint.disabled_at ?? new Date(page.now - dayMs).toISOString()
  const state = freshForm({ event: 'ticket.created', overlap: '24', since: dayOf(Date.parse(since), page.zone) })
  return (
    <>
      <Dialog id="send-test" title="Send a test event">
        <p>An example of the event, marked as a test. It is signed and delivered like any other.</p>
        <form method="post" action={`${own}/test`} class="form">
          <SelectField
            name="event"
            label="Event"
            options={eventNames.map((value) => ({ value, label: value }))}
            state={state}
          />
          <Button look="primary">Send test event</Button>
        </form>
      </Dialog>
      <Dialog id="recover" title="Recover deliveries">
        <p>Sends again what was given up or held since then, oldest first. What arrived is not sent again.</p>
        <form method="post" action={`${own}/recover`} class="form">
          <TextField name="since" label="Since the day" type="date" narrow state={state} />
          <Button look="primary">Recover</Button>
        </form>
      </Dialog>
      <Dialog id="rotate" title="Rotate the signing secret">
        <p>
          A new secret is made and shown once.{' '}
          {endpoint.standard_webhooks
            ? 'Until the overlap is over, webhook-signature has a signature of each.'
            : 'It makes the signature from then on, so give receivers both secrets first.'}
        </p>
        <form method="post" action={`${own}/rotate`} class="form">
          <SelectField name="overlap" label="The old secret signs for" options={overlaps} state={state} />
          <Button look="primary">Rotate the secret</Button>
        </form>
      </Dialog>
      <Dialog id="delete" title={`Delete ${endpointName(endpoint)}?`}>
        <p>Nothing is sent to it any more, and what waits is lost. This cannot be undone.</p>
        <ActionButton action={`${own}/delete`} look="danger">
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
