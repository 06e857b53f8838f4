import type { AttemptState } from './attempt.ts'
import type { EventDetails } from './events.ts'

/** Notifies the listener. Errors of the listener must not fail or delay the call. */
export function emit({ call, attempts: attempt }: AttemptState, details: EventDetails): void {
  const { onEvent } = call.settings
  if (!onEvent) return
  const { operation, method, path: route } = call.route
  // Inside a promise a throw becomes a rejection, so both are ignored here.
  new Promise((resolve) => {
    resolve(onEvent({ operation, method, route, attempt, ...details }))
  }).catch(ignore)
}

const ignore = () => undefined
