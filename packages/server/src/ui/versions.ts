import type { Call } from '@service/client/admin'
import type { Fields } from './page-types.ts'

export interface Versioned<Data> {
  readonly data: Data
  /** Changes with the record. */
  readonly version: string | undefined
}

/** Reads a record that is to be changed. */
export async function readVersioned<Data>(call: Call<Data>): Promise<Versioned<Data>> {
  const { data, meta } = await call.withMeta()
  return { data, version: meta.headers['etag'] }
}

/** Options for update calls: `If-Match`, so that a concurrent change is refused. */
export const ifVersion = (version: string | undefined): { readonly headers?: Readonly<Record<string, string>> } =>
  version === undefined ? {} : { headers: { 'if-match': version } }

/** The same for the version that a form was opened with. Characters that no header may have make it another version. */
export const ifUnchanged = (form: Fields) =>
  ifVersion(form.text('version').replaceAll(/[^\x20-\x7e]/g, '?') || undefined)
