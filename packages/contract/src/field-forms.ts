import * as z from 'zod/mini'
import { day, dayText, emailText, instant, instantText, money } from './fields.ts'

/** The format of a text, in terms of JSON Schema. */
export interface TextForm {
  readonly format?: string
  readonly pattern?: string
}

/**
 * The formats of the texts in `fields.ts`, for OpenAPI and for checking responses. Imported as
 * `@service/contract/field-forms` and never through the index, because zod's registries would enlarge the client.
 */
export const fieldForms: z.core.$ZodRegistry<TextForm> = z
  .registry<TextForm>()
  .add(instant, { format: 'date-time' })
  .add(instantText, { format: 'date-time' })
  .add(day, { format: 'date' })
  .add(dayText, { format: 'date' })
  .add(emailText, { format: 'email' })
  .add(money, { pattern: '^\\d+\\.\\d{2}$' })
