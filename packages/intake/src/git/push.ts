import { firstLineOf } from '../sanitize/sanitize-text.ts'
import type { GitActivity, GitActor, GitRepository, PushFacts, RefChange } from './activity.ts'
import { actorSentence } from './activity-text.ts'

/** GitHub lists at most 2,048 commits, and the others far fewer. Further commits are ignored. */
export const maxCommits = 2_048

export type PushedCommit = {
  readonly sha: string | null
  readonly url: string | null
  readonly message: string | null
  readonly author: string | null
  readonly committedAt: number | null
}

/** One ref of a push. `head` is the commit to reference if the push has no commits. */
export type PushedRef = RefChange & {
  /** Oldest first. */
  readonly commits: readonly PushedCommit[]
  readonly listed: number
  readonly total: number
  /** Whether the host reports that there were more than it counts. */
  readonly isTruncated: boolean
  readonly head: PushedCommit
}

export type Push = {
  readonly actor: GitActor | null
  readonly repository: GitRepository | null
  readonly refs: readonly PushedRef[]
}

const zeros = /^0+$/

/** Forty zeros mean no commit: the ref was created or deleted. */
export const isNoCommit = (sha: string | null): boolean => sha === null || zeros.test(sha)

/** `refs/heads/feature/x` → branch `feature/x`. Other refs (notes, merge requests) keep their whole name. */
export const parseRef = (ref: string): Pick<RefChange, 'type' | 'ref' | 'name'> => {
  const [, space, name] = /^refs\/(heads|tags)\/(.+)$/.exec(ref) ?? []
  if (space === undefined || name === undefined) return { type: 'other', ref, name: ref }
  return { type: space === 'tags' ? 'tag' : 'branch', ref, name }
}

const countOf = (ref: Pick<PushedRef, 'total' | 'isTruncated'>) => `${ref.total}${ref.isTruncated ? '+' : ''}`

const nameOf = ({ type, name }: RefChange) => (type === 'other' ? name : `${type} ${name}`)

const withoutCommits = (ref: PushedRef): string => {
  if (ref.deleted) return `deleted ${nameOf(ref)}`
  if (ref.created) return `created ${nameOf(ref)}`
  if (ref.type === 'tag') return `moved ${nameOf(ref)}`
  return ref.forced ? `force-pushed ${nameOf(ref)}` : `pushed to ${nameOf(ref)} without new commits`
}

const pushVerb = ({ forced, created }: PushedRef) => {
  if (forced) return 'force-pushed to'
  return created ? 'pushed new' : 'pushed to'
}

const withCommit = (ref: PushedRef, commit: PushedCommit): string => {
  const count = countOf(ref)
  const message = firstLineOf(commit.message)
  const commits = count === '1' ? '' : ` (${count} commits)`
  return `${pushVerb(ref)} ${nameOf(ref)}${commits}${message === null ? '' : `: ${message}`}`
}

/** Without a commit the activity is about the ref itself and points at its head. */
const toActivity = (push: Push, ref: PushedRef, commit: PushedCommit | null): GitActivity => {
  const { sha, url, author, committedAt } = commit ?? ref.head
  const refKind = ref.type === 'other' ? 'push' : ref.type
  return {
    kind: commit !== null && ref.type !== 'tag' ? 'commit' : refKind,
    title: actorSentence(push.actor, commit === null ? withoutCommits(ref) : withCommit(ref, commit)),
    ref: ref.ref,
    url,
    commitSha: isNoCommit(sha) ? null : sha,
    commitAuthor: author,
    actor: push.actor,
    repository: push.repository,
    occurredAt: committedAt,
  }
}

const refActivities = (push: Push, ref: PushedRef): GitActivity[] =>
  ref.commits.length === 0 ? [toActivity(push, ref, null)] : ref.commits.map((commit) => toActivity(push, ref, commit))

const emptyPush = ({ actor, repository }: Push): GitActivity => ({
  kind: 'push',
  title: actorSentence(actor, `pushed to ${repository?.name ?? 'a repository'} without changes`),
  ref: null,
  url: repository?.url ?? null,
  commitSha: null,
  commitAuthor: null,
  actor,
  repository,
  occurredAt: null,
})

/** Returns one activity per commit and one for each ref without commits. Never empty. */
export const pushActivities = (push: Push): readonly GitActivity[] => {
  const activities = push.refs.flatMap((ref) => refActivities(push, ref)).slice(0, maxCommits)
  return activities.length === 0 ? [emptyPush(push)] : activities
}

export const pushFacts = (refs: readonly PushedRef[]): PushFacts => ({
  changes: refs.map(({ type, ref, name, created, deleted, forced, after }) => ({
    type,
    ref,
    name,
    created,
    deleted,
    forced,
    after,
  })),
  listed: refs.reduce((sum, ref) => sum + ref.listed, 0),
  count: countOf({
    total: refs.reduce((sum, ref) => sum + ref.total, 0),
    isTruncated: refs.some((ref) => ref.isTruncated),
  }),
})
