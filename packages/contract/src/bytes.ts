import * as z from 'zod/mini'

// Not in the index, so that no bundle of the client has it.

/** A body of bytes instead of JSON. The server recognizes it by comparing a route's schema with this object. */
export const Bytes = z.custom<Uint8Array>((value) => value instanceof Uint8Array)

/** A streamed body with one JSON object per line (`application/x-ndjson`). */
export const JsonLines = z.custom<ReadableStream>((value) => value instanceof ReadableStream)

/** The body of 204. */
export const Nothing = z.undefined()
