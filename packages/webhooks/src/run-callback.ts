/**
 * Calls a function that must not change the response. If it throws or rejects, prints its error, after the error that it
 * was given.
 */
export async function runCallback(call: () => unknown, ...given: unknown[]): Promise<void> {
  try {
    await call()
  } catch (thrown) {
    // biome-ignore lint/suspicious/noConsole: the function that reports errors has failed
    console.error(...given, thrown)
  }
}
