import type { AttemptState } from './attempt.ts'
import type { Happening } from './events.ts'

/** Tells the listener. What it throws, at once or later, is its own affair and must not fail or delay the call. */
export function emit({ call, attempts: attempt }: AttemptState, happening: Happening): void {
  const { onEvent } = call.settings
  if (!onEvent) return
  const { operation, method, path: route } = call.contract
  // Inside a promise a throw is a rejection, and both end here.
  new Promise((resolve) => {
    resolve(onEvent({ operation, method, route, attempt, ...happening }))
  }).catch(ignore)
}

const ignore = () => undefined
