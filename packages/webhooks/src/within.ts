/** Waits for the work until the time is up, and then returns or throws what `whenLate` does. */
export function within<Value, Late>(
  timeoutMs: number,
  work: Value | Promise<Value>,
  whenLate: () => Late,
): Promise<Value | Late> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, timeoutMs)
  }).then(whenLate)
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}

/**
 * Waits 10 seconds for a lookup, because the platform waits 15 for the response. The offline queue of a Redis client,
 * for example, answers only after Redis does.
 */
export const requireAnswer = <Value>(name: string, answer: Value | Promise<Value>): Promise<Value> =>
  within(10_000, answer, () => {
    throw new Error(`${name} did not answer within 10 s`)
  })
