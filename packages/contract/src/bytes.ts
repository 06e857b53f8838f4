import * as z from 'zod/mini'

// Not in the index, so that no bundle of the client has it.

/** A body that is bytes and not JSON. Readers compare a route's schema with this very one. */
export const Bytes = z.custom<Uint8Array>((value) => value instanceof Uint8Array)

/** A body that is a stream of lines with a JSON object each (`application/x-ndjson`). */
export const JsonLines = z.custom<ReadableStream>((value) => value instanceof ReadableStream)

/** The body of 204. */
export const Nothing = z.undefined()
