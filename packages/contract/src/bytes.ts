import * as z from 'zod/mini'

// Of the test controls only; not in the index, so that no bundle of the client has it.

/** A body that is bytes and not JSON. Readers compare a route's schema with this very one. */
export const Bytes = z.custom<Uint8Array>((value) => value instanceof Uint8Array)

/** The body of 204. */
export const Nothing = z.undefined()
