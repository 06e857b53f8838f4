import type { ClientEvent } from './events.ts'
import type { Logger } from './logger.ts'

// Loaded only by clients with a logger.

/** Writes an event as one line. No line contains headers, bodies, URLs or tokens. */
export function logEvent(logger: Logger, event: ClientEvent): void {
  const [level, text] = describe(event)
  logger[level](`${event.operation}, attempt ${event.attempt}: ${text}`)
}

function describe(event: ClientEvent): [keyof Logger, string] {
  switch (event.type) {
    case 'request':
      return ['debug', `${event.method} ${event.route}`]
    case 'response':
      return ['info', `${event.status} after ${event.durationMs} ms${event.requestId ? ` (${event.requestId})` : ''}`]
    case 'retry':
      return ['warn', `${event.code}, next attempt in ${Math.round(event.delayMs)} ms`]
    case 'drift':
      return ['warn', event.issues.map(({ message }) => message).join(' ')]
    case 'error':
      return ['error', event.error.message]
  }
}
