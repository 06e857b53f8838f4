import type * as z from 'zod/mini'

/** A record with these values, and null in every other field of its schema. */
export const documentedFields = ({ shape }: { readonly shape: z.core.$ZodShape }, values: object): object => ({
  ...Object.fromEntries(Object.keys(shape).map((name) => [name, null])),
  ...values,
})
