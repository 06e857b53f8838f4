import { UnreadableBody } from '@service/intake/sanitize/decode'
import { ApiError, validation } from './errors.ts'

/** An unreadable body is the sender's error; other exceptions are ours. */
export function refuseUnreadable(fault: unknown): never {
  if (!(fault instanceof UnreadableBody)) throw fault
  throw fault.kind === 'too_large'
    ? new ApiError('payload_too_large', fault.message)
    : validation({ body: [fault.message] })
}
