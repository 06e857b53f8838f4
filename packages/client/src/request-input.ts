/** The part of a Standard Schema (zod, Valibot, ArkType …) that the client uses. */
export interface ResponseSchema<Data> {
  readonly '~standard': {
    readonly validate: (value: unknown) => SchemaResult<Data> | Promise<SchemaResult<Data>>
  }
}

export type SchemaResult<Data> =
  | { readonly value: Data; readonly issues?: undefined }
  | { readonly issues: readonly { readonly message: string; readonly path?: readonly PathSegment[] | undefined }[] }

export type PathSegment = PropertyKey | { readonly key: PropertyKey }

/** A request to a route that this version of the package does not know. */
export interface RequestInput<Data = unknown> {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** Below the base URL, e.g. `/workspaces/{workspace}/invoices`. `{workspace}` becomes the client's workspace. */
  readonly path: string
  /** Sent as JSON. */
  readonly body?: unknown
  /** Checks the response and types it. It must be synchronous. */
  readonly schema?: ResponseSchema<Data> | undefined
}
