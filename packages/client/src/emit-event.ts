import type { AttemptState } from './attempt.ts'
import type { Happening } from './events.ts'

/** Notifies the listener. Errors of the listener must not fail or delay the call. */
export function emit({ call, attempts: attempt }: AttemptState, happening: Happening): void {
  const { onEvent } = call.settings
  if (!onEvent) return
  const { operation, method, path: route } = call.contract
  // Inside a promise a throw becomes a rejection, so both are ignored here.
  new Promise((resolve) => {
    resolve(onEvent({ operation, method, route, attempt, ...happening }))
  }).catch(ignore)
}

const ignore = () => undefined
