import type { EventHandlers } from '@service/webhooks'

/** What every receiver needs: the secret of the subscription, and a function for each event. */
export interface Receiver {
  readonly secret: string
  readonly on: EventHandlers<unknown>
}
