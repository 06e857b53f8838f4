import type { Child } from 'hono/jsx'
import { Badge } from './badge.tsx'
import { ActionButton, Button } from './button.tsx'
import { Card } from './card.tsx'
import { Copyable, Languages, Secret } from './code.tsx'
import { Dialog } from './dialog.tsx'
import { Time } from './time.tsx'

/** A received event. */
interface ReceivedEvent {
  readonly at: string
  readonly summary: string
  readonly isRefused?: boolean
}

export interface IntegrationProps {
  /** The URL that the other service sends to. */
  readonly address: string
  /** A newly issued secret, shown once. */
  readonly secret: string | undefined
  readonly hasSecret: boolean
  /** Whether events are accepted. */
  readonly isOn: boolean
  /** The action of the form that issues a secret. Its response is this page with the secret. */
  readonly issue: string
  /** Code samples that send a first event. */
  readonly samples: readonly { readonly language: string; readonly code: string }[]
  /** Newest first. */
  readonly received: readonly ReceivedEvent[]
  /** The topics whose changes refresh the received events. */
  readonly live: string
  /** Settings of the integration. */
  readonly options?: Child
  /** Whether the reader may set it up. */
  readonly canSetUp: boolean
}

/** Everything needed to connect another service: its address, secret, samples, and received events. */
export function IntegrationCards(props: IntegrationProps) {
  const { address, samples, options } = props
  return (
    <div class="split">
      <div class="stack">
        <Card title="Connect">
          <div class="stack">
            <div class="field">
              <h3>Address</h3>
              <Copyable id="address" value={address} label="the address" />
            </div>
            <SecretPart {...props} />
          </div>
        </Card>
        {samples.length > 0 && <Languages id="first-event" samples={samples} />}
      </div>
      <div class="stack">
        <Received {...props} />
        {options !== undefined && <Card title="Options">{options}</Card>}
      </div>
    </div>
  )
}

function SecretPart({ secret, hasSecret, issue, canSetUp }: IntegrationProps) {
  if (secret !== undefined) return <Secret id="secret" value={secret} label="Secret" />
  if (!hasSecret)
    return (
      canSetUp && (
        <ActionButton id="issue-secret" action={issue} variant="primary" icon="key-round" once>
          Create the secret
        </ActionButton>
      )
    )
  return (
    <div class="field">
      <h3>Secret</h3>
      <p class="quiet">The secret was shown when it was created and cannot be shown again.</p>
      {canSetUp && (
        <div>
          <Button id="open-replace-secret" opens="replace-secret" small>
            Replace the secret…
          </Button>
        </div>
      )}
      <Dialog id="replace-secret" title="Replace the secret?">
        <p>The current secret stops working immediately. Requests that use it are rejected.</p>
        <ActionButton action={issue} variant="danger" once>
          Replace the secret
        </ActionButton>
      </Dialog>
    </div>
  )
}

function Received({ received, live, isOn, secret }: IntegrationProps) {
  const isWaiting = isOn || secret !== undefined
  return (
    <Card title="Received" id="received" live={live} flush>
      {received.length === 0 ? (
        <div class="card-body">
          {isWaiting ? (
            <Badge tone="info" waiting>
              Waiting for the first event…
            </Badge>
          ) : (
            <p class="quiet">Received events appear here immediately.</p>
          )}
        </div>
      ) : (
        <ul class="received">
          {received.map(({ at, summary, isRefused = false }) => (
            <li>
              <Badge tone={isRefused ? 'bad' : 'ok'}>{isRefused ? 'Refused' : 'Received'}</Badge>
              <bdi class="clip">{summary}</bdi>
              <span class="meta">
                <Time at={at} />
              </span>
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}
