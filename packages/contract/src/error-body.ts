import * as z from 'zod/mini'

/**
 * The body of every refusal: one sentence, and for validation failures a list of sentences per field
 * (dotted paths such as `tags.0`). The platform's document leaves the shape open (§7).
 */
export const ErrorBody = z.looseObject({
  message: z.string(),
  errors: z.optional(z.record(z.string(), z.array(z.string()))),
})
export type ErrorBody = z.infer<typeof ErrorBody>
