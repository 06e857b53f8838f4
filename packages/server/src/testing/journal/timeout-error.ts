/** What a test waited for did not come in time. */
export class TimeoutError extends Error {
  override readonly name = 'TimeoutError'
}
