import * as z from 'zod/mini'

/**
 * The body of every error response: one message, and for validation errors a list of messages per field
 * (dotted paths such as `tags.0`). The platform's document leaves the shape open (§7).
 */
export const ErrorBody = z.looseObject({
  message: z.string(),
  errors: z.optional(z.record(z.string(), z.array(z.string()))),
})
export type ErrorBody = z.infer<typeof ErrorBody>
