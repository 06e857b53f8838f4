import type { AttemptState } from './attempt.ts'
import type { EventDetails } from './events.ts'

/** Notifies the listeners. Their errors must not fail or delay the call. */
export function emit({ call, attempts: attempt }: AttemptState, details: EventDetails): void {
  const { operation, method, path: route } = call.route
  for (const listener of call.settings.listeners) {
    // Inside a promise a throw becomes a rejection, so both are ignored here.
    new Promise((resolve) => {
      resolve(listener({ operation, method, route, attempt, ...details }))
    }).catch(ignore)
  }
}

const ignore = () => undefined
