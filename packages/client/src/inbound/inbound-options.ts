import type { GitProvider, LeadSource } from '@service/contract/values'
import type { ClientOptions } from '../client-options.ts'
import type { Token } from '../token-source.ts'

/** The secrets of the inbound webhooks. Give those that you use. */
export interface InboundSecrets {
  /** Issued under Integrations, Error monitor. */
  readonly errors?: string | undefined
  /** The workspace's secret for punches. */
  readonly attendance?: string | undefined
  /** One device's own secret; used in place of the workspace's, it says which device punched. */
  readonly device?: string | undefined
  /** By lead source, e.g. `{website: 'whs_…'}`. */
  readonly leads?: { readonly [Source in LeadSource]?: string | undefined } | undefined
  /** What each provider signs with; without one, deliveries go out unsigned. */
  readonly git?: { readonly [Provider in GitProvider]?: string | undefined } | undefined
}

/** What `createInboundClient` takes. Only the first two are required. */
export interface InboundClientOptions extends Omit<ClientOptions, 'baseUrl' | 'token'> {
  /** Where the inbound webhooks stand, e.g. `https://example.com/api`; with or without a slash at its end. */
  readonly webhookBaseUrl: string
  /** The numeric id of the workspace. */
  readonly workspace: number
  readonly secrets?: InboundSecrets | undefined
  /** A workspace API token with `tickets:write`: reports errors where there is no secret for it. */
  readonly token?: Token | undefined
}

type Given<Name extends string> = { readonly [Key in Name]?: string | undefined }

/** The secrets as they were when the client was made, whatever becomes of the caller's object. */
export interface KeptSecrets extends Given<'errors' | 'attendance' | 'device'> {
  readonly leads: Given<LeadSource>
  readonly git: Given<GitProvider>
}

export function keepSecrets({ errors, attendance, device, leads, git }: InboundSecrets = {}): KeptSecrets {
  return {
    ...keepEach('', { errors, attendance, device }),
    leads: keepEach('leads.', leads),
    git: keepEach('git.', git),
  }
}

function keepEach<Name extends string>(where: string, secrets: Given<Name> = {}): Given<Name> {
  for (const [name, secret] of Object.entries(secrets)) {
    if (secret !== undefined) requireVisible(`secrets.${where}${name}`, secret)
  }
  return { ...secrets }
}

/** What goes into a header is checked here because the error of the built-in `Headers` would repeat the value. */
export function requireVisible(option: string, value: unknown): string {
  if (typeof value === 'string' && /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(value)) return value
  throw new TypeError(`${option} must be a string of visible ASCII characters.`)
}
