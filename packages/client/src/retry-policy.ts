const transientStatuses: readonly number[] = [408, 429, 500, 502, 503, 504]

const baseDelayMs = 300
const longestDelayMs = 8_000

/** Whether a request with an error status may be retried. `repeatable` means that the platform acts only once if it is repeated. */
export function isRetryableStatus(status: number, headers: Headers, repeatable: boolean): boolean {
  const advice = headers.get('x-should-retry')
  if (advice === 'false') return false
  if (repeatable) return advice === 'true' || transientStatuses.includes(status)
  // Without a key, only a response that means "not now" proves that nothing was done. A bare 503 may come from a gateway
  // that gave up waiting while the platform was still working.
  return status === 429 || (status === 503 && headers.has('retry-after'))
}

/** Full jitter: from 0 to a limit that doubles, so that clients that failed together do not retry together. */
export function backoffMs(retry: number, random: () => number): number {
  return random() * Math.min(longestDelayMs, baseDelayMs * 2 ** retry)
}

/**
 * The wait before a retry, at least as long as the platform asked for. Undefined if it would be too long. Clients that the
 * platform refused together come back spread over a quarter of the wait.
 */
export function retryDelayMs(wait: {
  readonly retry: number
  readonly random: () => number
  readonly retryAfterMs: number | undefined
  readonly maxRetryAfterMs: number
  readonly remainingMs: number
}): number | undefined {
  const { retry, random, retryAfterMs = 0, remainingMs } = wait
  if (retryAfterMs > wait.maxRetryAfterMs || retryAfterMs >= remainingMs) return undefined
  if (retryAfterMs === 0) {
    const delayMs = backoffMs(retry, random)
    return delayMs < remainingMs ? delayMs : undefined
  }
  const spreadMs = Math.max(baseDelayMs * 2 ** retry, retryAfterMs / 4)
  return retryAfterMs + random() * Math.min(longestDelayMs, spreadMs, (remainingMs - retryAfterMs) / 2)
}
