export type GitHostKey = 'github' | 'gitlab' | 'bitbucket'

/** The subject of an activity, with the same names for every host. Unknown subjects are `other`. */
export type ActivityKind =
  | 'commit'
  | 'branch'
  | 'tag'
  | 'push'
  | 'issue'
  | 'pull_request'
  | 'comment'
  | 'release'
  | 'build'
  | 'deployment'
  | 'ping'
  | 'other'

export type GitRepository = { readonly name: string; readonly url: string | null }

export type GitActor = { readonly name: string; readonly url: string | null; readonly email: string | null }

/** One line of a workspace's Git history. `title` is a sentence. All text is plain and must be escaped for display. */
export type GitActivity = {
  readonly kind: ActivityKind
  readonly title: string
  /** The branch or tag exactly as the host wrote it: `refs/heads/main` from one, `main` from another. */
  readonly ref: string | null
  readonly url: string | null
  readonly commitSha: string | null
  /** The author of the commit, if the host distinguishes it from the pusher. */
  readonly commitAuthor: string | null
  readonly actor: GitActor | null
  readonly repository: GitRepository | null
  /** Integer microseconds UTC. */
  readonly occurredAt: number | null
}

export type IssueFacts = {
  readonly number: number | null
  readonly title: string | null
  readonly url: string | null
  readonly isPullRequest: boolean
  readonly confidential: boolean
  /** GitLab's work item type ("Epic", "Incident"), if the body has one. */
  readonly type: string | null
}

export type PullRequestFacts = {
  readonly number: number | null
  readonly title: string | null
  readonly url: string | null
  readonly state: string | null
  readonly merged: boolean | null
  readonly source: string | null
  readonly target: string | null
}

export type RefChange = {
  readonly type: 'branch' | 'tag' | 'other'
  readonly ref: string
  /** The short name: `main`, `v1.0`. */
  readonly name: string
  readonly created: boolean
  readonly deleted: boolean
  readonly forced: boolean
  /** The new head as sent; forty zeros or null if the ref was deleted. */
  readonly after: string | null
}

export type PushFacts = {
  readonly changes: readonly RefChange[]
  /** Commits the body lists. */
  readonly listed: number
  /** The number of pushed commits as text: "4", or "5+" if the host truncates its list. */
  readonly count: string
}

/** A newly opened issue, with the data for its ticket. */
export type OpenedIssue = {
  /** Stable across renames if the host sends an id. */
  readonly repositoryKey: string
  /** Unique within `repositoryKey`. Together they allow one ticket per issue. */
  readonly issueKey: string
  readonly number: number
  readonly title: string
  readonly url: string | null
  readonly body: string | null
  readonly author: string | null
  readonly confidential: boolean
}

/** A parsed delivery. Plain data, so it can cross a thread boundary. `activities` is never empty. */
export type GitDelivery = {
  readonly host: GitHostKey
  readonly event: string
  /** The event name in the body, if it has one in addition to the header (GitLab's `object_kind`). */
  readonly objectKind: string | null
  readonly action: string | null
  readonly deliveryId: string
  readonly isPing: boolean
  readonly repository: GitRepository | null
  readonly actor: GitActor | null
  readonly issue: IssueFacts | null
  readonly pullRequest: PullRequestFacts | null
  readonly push: PushFacts | null
  readonly activities: readonly GitActivity[]
  readonly issueOpened: OpenedIssue | null
}
