import { createHash } from 'node:crypto'
import { type DeliveryHeaders, findHeader } from '../sanitize/headers.ts'

type DeliveryContent = { readonly headers: DeliveryHeaders; readonly body: Uint8Array; readonly event: string }

/** Without an id from the sender, the same event with the same bytes is the same delivery. */
const fingerprint = ({ event, body }: DeliveryContent): string =>
  `sha256:${createHash('sha256').update(event).update('\0').update(body).digest('hex')}`

/** Keeps a plausible id as sent, and hashes anything else so that it fits a column and an index. */
const storable = (id: string): string =>
  /^[\x21-\x7e]{1,128}$/.test(id) ? id : `sha256:${createHash('sha256').update(id).digest('hex')}`

/** Returns the first header in `names` with a value, or else a fingerprint. */
export const deliveryIdFrom = (names: readonly string[], delivered: DeliveryContent): string => {
  for (const name of names) {
    const id = findHeader(delivered.headers, name)?.trim()
    if (id) return storable(id)
  }
  return fingerprint(delivered)
}
