import * as z from 'zod/mini'
import { day, dayText, emailText, instant, instantText, money } from './fields.ts'

/** The form of a text in the words of JSON Schema. */
export interface TextForm {
  readonly format?: string
  readonly pattern?: string
}

/**
 * What the texts of `fields.ts` look like, for those who describe them (OpenAPI) or compare answers with them. Imported as
 * `@service/contract/field-forms` and never through the index: it would cost the client zod's registries.
 */
export const fieldForms: z.core.$ZodRegistry<TextForm> = z
  .registry<TextForm>()
  .add(instant, { format: 'date-time' })
  .add(instantText, { format: 'date-time' })
  .add(day, { format: 'date' })
  .add(dayText, { format: 'date' })
  .add(emailText, { format: 'email' })
  .add(money, { pattern: '^\\d+\\.\\d{2}$' })
