import * as z from 'zod/mini'
import { integerId } from '../fields.ts'

/**
 * How the owner of an integration corrects what is read. Each value is a JMESPath expression over one entry of a body, at
 * most 500 characters long.
 */
export const Mapping = z.object({
  /** Field → expression. A text or number replaces what the reader found; any other result leaves it alone. */
  fields: z.optional(z.record(z.string(), z.string())),
  /** If it is true, the entry is ignored: it is recorded and creates nothing. */
  ignore_when: z.optional(z.nullable(z.string())),
  /**
   * Error reports: if true, the report opens a ticket whatever its level; if false, it is only counted. Without a result,
   * as for an entry that lacks what is compared, the level decides.
   */
  opens_when: z.optional(z.nullable(z.string())),
})
export type Mapping = z.infer<typeof Mapping>

/** The fields that a mapping may set. */
export const mappedFields = {
  errors: [
    ...(['message', 'exception', 'file', 'line', 'url', 'method', 'framework', 'environment', 'app'] as const),
    ...(['severity', 'stack', 'fingerprint'] as const),
  ],
  leads: ['name', 'email', 'phone', 'company', 'message'],
  attendance: [
    ...(['employee_code', 'attendance_uid', 'user_id', 'email', 'device_id', 'external_device_id'] as const),
    ...(['source_type', 'direction', 'timestamp'] as const),
  ],
} as const

/** A change of the mapping. Null removes it. */
export const mappingPatch = z.optional(z.nullable(Mapping))

/** A body to explain: either as a sender would post it, or the kept body of a delivery. */
export const BodyToExplain = z.object({
  /** A string is taken as it is; any other value as its JSON. */
  body: z.optional(z.unknown()),
  /** Headers of the sender. Only `content-type` and `content-encoding` matter. */
  headers: z.optional(z.record(z.string(), z.string())),
  /** Whether `body` is base64, which a compressed body requires. */
  base64: z.optional(z.boolean()),
  /** An inbound delivery whose body is kept, instead of `body`. */
  delivery_id: z.optional(integerId),
  /** A draft to try. Defaults to the saved mapping; null tries none. */
  mapping: mappingPatch,
})

const value = z.nullable(z.union([z.string(), z.number()]))

/**
 * The fields that a mapping set: what the reader had found, what it became, and by which expression. Texts of error reports
 * are cut to 1,000 characters.
 */
export const mappedList = z.array(z.object({ field: z.string(), from: value, to: value, expression: z.string() }))
