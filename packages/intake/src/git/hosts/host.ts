import type { DeliveryHeaders } from '../../sanitize/headers.ts'
import type { ActivityKind, GitActivity, GitActor, GitDelivery, GitHostKey, GitRepository } from '../activity.ts'
import type { Verification } from '../verification.ts'

/**
 * A Git host: how to read its events and verify their sender. All functions are pure, and the input and output of
 * `readEvent` is plain data as long as the headers are a record, so a large body can be read in a worker thread.
 */
export type GitHost = {
  readonly key: GitHostKey
  /** The headers that may name the event, the first one by preference. */
  readonly eventHeaders: readonly [string, ...string[]]
  /** Throws only `UnreadableBody`. */
  readonly readEvent: (headers: DeliveryHeaders, body: Uint8Array) => GitDelivery
  readonly verify: (verification: Verification) => boolean
  readonly deliveryId: (headers: DeliveryHeaders, body: Uint8Array) => string
}

/** The text of an event other than a push, without author and repository. */
export type ActivityText = {
  readonly kind: ActivityKind
  readonly title: string
  readonly url?: string | null
  readonly ref?: string | null
  readonly commitSha?: string | null
  readonly occurredAt?: number | null
}

type ActivityContext = { readonly actor: GitActor | null; readonly repository: GitRepository | null }

export const activityFrom = (story: ActivityText, { actor, repository }: ActivityContext): GitActivity => ({
  kind: story.kind,
  title: story.title,
  ref: story.ref ?? null,
  url: story.url ?? repository?.url ?? null,
  commitSha: story.commitSha ?? null,
  commitAuthor: null,
  actor,
  repository,
  occurredAt: story.occurredAt ?? null,
})
