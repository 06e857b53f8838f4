import type { Issue } from './errors/details.ts'

/** Compares a value with a schema: its data, or what is wrong with it. */
export type Check = (
  schema: unknown,
  value: unknown,
) => { readonly data?: unknown; readonly issues?: readonly Issue[] | undefined }
