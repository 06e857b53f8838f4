import {
  type GitProvider,
  gitProviders,
  type KnownLeadSource,
  type LeadSource,
  leadSources,
} from '@service/contract/values'
import type { ClientOptions } from '../client-options.ts'
import { requireKnownNames } from '../known-names.ts'
import type { Token } from '../token-source.ts'

/** The secrets of the inbound webhooks. Leave out those that you do not use: one that is empty or undefined is refused. */
export interface InboundSecrets {
  /** Issued under Integrations, Error monitor. */
  readonly errors?: string | undefined
  /** The workspace's secret for punches. */
  readonly attendance?: string | undefined
  /** The secret of one device. It replaces the workspace's secret and identifies the device. */
  readonly device?: string | undefined
  /** By lead source, e.g. `{website: 'whs_…'}`. */
  readonly leads?: { readonly [Source in KnownLeadSource]?: string | undefined } | undefined
  /** The secret of each provider. Without one, deliveries are unsigned. */
  readonly git?: { readonly [Provider in GitProvider]?: string | undefined } | undefined
}

/** The options of `createInboundClient`. Only the first two are required. */
export interface InboundClientOptions extends Omit<ClientOptions, 'baseUrl' | 'token'> {
  /** The base URL of the inbound webhooks, e.g. `https://example.com/api`, with or without a trailing slash. */
  readonly webhookBaseUrl: string
  /** The numeric id of the workspace. */
  readonly workspace: number
  readonly secrets?: InboundSecrets | undefined
  /** A workspace API token with `tickets:write`, to report errors without a secret. */
  readonly token?: Token | undefined
}

type SecretsByName<Name extends string> = { readonly [Key in Name]?: string | undefined }

/** A copy of the secrets, so that later changes to the caller's object have no effect. */
export interface CheckedSecrets extends SecretsByName<'errors' | 'attendance' | 'device'> {
  readonly leads: SecretsByName<LeadSource>
  readonly git: SecretsByName<GitProvider>
}

export function copySecrets(secrets: InboundSecrets = {}): CheckedSecrets {
  const { leads, git, ...others } = secrets
  requireKnownNames('secrets', secrets, ['errors', 'attendance', 'device', 'leads', 'git'])
  requireKnownNames('secrets.leads', leads, leadSources)
  requireKnownNames('secrets.git', git, gitProviders)
  return {
    ...copyEach('', others),
    leads: copyEach('leads.', leads),
    git: copyEach('git.', git),
  }
}

function copyEach<Name extends string>(where: string, secrets: SecretsByName<Name> = {}): SecretsByName<Name> {
  for (const [name, secret] of Object.entries(secrets)) {
    requireVisible(`secrets.${where}${name}`, secret)
  }
  return { ...secrets }
}

/** Checks the value of a header, because the error of the built-in `Headers` would repeat the value. */
export function requireVisible(option: string, value: unknown): string {
  if (typeof value === 'string' && /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(value)) return value
  throw new TypeError(`${option} ${value ? 'must be a string of visible ASCII characters' : 'is missing'}.`)
}
