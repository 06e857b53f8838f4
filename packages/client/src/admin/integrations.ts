import type { GitProvider } from '@service/contract/values'
import type { Call } from '../call.ts'
import type { CallOptions } from '../call-options.ts'
import type { ById, InWorkspace, List, Page, PageQuery } from './page.ts'

/** What third parties push into a workspace; lead sources are apart. */
export type IntegrationName = 'errors' | 'attendance' | 'github' | 'gitlab' | 'bitbucket'

/** How bad an error report is. */
export type ErrorLevel =
  | 'trace'
  | 'debug'
  | 'info'
  | 'notice'
  | 'warning'
  | 'error'
  | 'critical'
  | 'alert'
  | 'emergency'
  | 'fatal'

/** An inbound integration, without its secret. */
export interface Integration {
  integration: IntegrationName
  enabled: boolean
  has_secret: boolean
  /** Git: whether an opened issue becomes a ticket. */
  open_tickets: boolean
  /** Error reports: from which level on a report opens a ticket; null when the workspace has set none. */
  min_level: ErrorLevel | null
  /** Error reports: whether a note that an error is over resolves its ticket. */
  resolve_tickets: boolean
  /** Null while nobody has set it up. */
  updated_at: string | null
}

/** With the first secret, when the change has issued it. */
export interface ChangedIntegration extends Integration {
  secret?: string | undefined
}

/** With the secret, which is in this answer and in no other. */
export interface IntegrationWithSecret extends Integration {
  secret: string
}

export interface ByIntegration extends InWorkspace {
  integration: IntegrationName
}

/** A field that is left out stays as it is. */
export interface IntegrationPatch {
  enabled?: boolean | undefined
  /** Git: whether an opened issue becomes a ticket. */
  open_tickets?: boolean | undefined
  /** Git: what the provider signs with; null for none, so that every delivery is accepted. */
  secret?: string | null | undefined
  /** Error reports: from which level on a report opens a ticket; null for none. */
  min_level?: ErrorLevel | null | undefined
  /** Error reports: whether a note that an error is over resolves its ticket. */
  resolve_tickets?: boolean | undefined
}

/** The inbound integrations of a workspace. */
export interface Integrations {
  /** All there are, also those that nobody has set up yet. */
  list(at: InWorkspace, options?: CallOptions): Call<List<Integration>>
  get(at: ByIntegration, options?: CallOptions): Call<Integration>
  /** Enabling error reports or attendance for the first time issues their secret, which is in this answer and in no other. */
  update(at: ByIntegration, patch: IntegrationPatch, options?: CallOptions): Call<ChangedIntegration>
  /** The secret before stops at once. What nobody has set up yet is enabled by it. */
  rotateSecret(at: ByIntegration, options?: CallOptions): Call<IntegrationWithSecret>
}

/** What happened in a repository, in one sentence. The text is plain and must be escaped where it is shown. */
export interface Activity {
  id: number
  provider: string
  event: string
  kind: string
  title: string
  ref: string | null
  url: string | null
  commit_sha: string | null
  actor: string | null
  actor_url: string | null
  repository: string | null
  repository_url: string | null
  occurred_at: string | null
  created_at: string
}

/** Activity in repositories. */
export interface Activities {
  /** One entry per commit of a push and one for any other event, newest first. */
  list(
    at: InWorkspace,
    query?: PageQuery & { provider?: GitProvider | undefined; repository?: string | undefined },
    options?: CallOptions,
  ): Call<Page<Activity>>
}

/** Reports of one error: how often, since when, on which ticket, and what the latest one said. */
export interface ErrorGroup {
  id: number
  fingerprint: string
  ticket_id: number | null
  count: number
  first_seen_at: string
  last_seen_at: string
  message: string | null
  exception: string | null
  file: string | null
  line: number | null
  framework: string | null
  environment: string | null
  severity: string | null
  app: string | null
  /** The latest report, with secrets masked. */
  sample: Record<string, unknown>
}

/** A body as a sender would post it. */
export interface ReportToExplain {
  /** Text is taken as it is; any other value as its JSON. */
  body: unknown
  /** Of the sender: `content-type` and `content-encoding` matter. */
  headers?: Record<string, string> | undefined
  /** Whether the text of `body` is base64, which a compressed body needs. */
  base64?: boolean | undefined
}

/** How one report of a body is read, and which error it belongs to. */
export interface ExplainedReport {
  /** The name of the format, as the documentation lists them. */
  format: string
  /** The title that a ticket would have. */
  title: string
  level: ErrorLevel
  /** A note that an error is over. */
  recovered: boolean
  /** Whether a report of this level and kind opens a ticket in this workspace when the error has none. */
  opens_ticket: boolean
  key: string
  /** What the key is made of, in its order. */
  key_parts: { name: string; value: string }[]
  /** The rules of grouping that changed the message. */
  message_rules: string[]
  /** The ticket that reports of this key are counted on. */
  ticket_id: number | null
  /** What was read, with secrets masked. */
  record: Record<string, unknown>
}

/** An error with its newest reports, and how often it came. */
export interface ErrorGroupDetail extends ErrorGroup {
  ticket: { id: number; ticket_number: string; title: string } | null
  /** At most ten, the newest first, with secrets masked. */
  samples: { seen_at: string; report: Record<string, unknown> }[]
  /** Of the last 30 days those on which it was reported (UTC), the oldest first. */
  days: { day: string; count: number }[]
}

/** Errors that applications reported. */
export interface ErrorReports {
  /** One entry per error, newest error first. */
  list(
    at: InWorkspace,
    /** An error is `resolved` when its ticket is resolved or closed. */
    query?: PageQuery & { app?: string | undefined; status?: 'open' | 'resolved' | undefined },
    options?: CallOptions,
  ): Call<Page<ErrorGroup>>
  /** With its newest reports, and how often it came on each of the last 30 days. */
  get(at: ById, options?: CallOptions): Call<ErrorGroupDetail>
  /** How a body is read and keyed. Nothing is counted and no ticket is opened. */
  explain(at: InWorkspace, report: ReportToExplain, options?: CallOptions): Call<List<ExplainedReport>>
}

/** An inbound delivery that came with the right secret. */
export interface InboundDelivery {
  id: number
  /** `errors`, `attendance`, `leads`, or a Git provider. */
  integration: string
  status: number
  /** One sentence, or the event's name; never a part of the body. */
  summary: string
  request_id: string
  received_at: string
}

/** The log of inbound deliveries. */
export interface InboundDeliveries {
  /** Newest first. */
  list(
    at: InWorkspace,
    query?: PageQuery & { integration?: string | undefined },
    options?: CallOptions,
  ): Call<Page<InboundDelivery>>
}
