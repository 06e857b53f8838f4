import {
  instantAt,
  isTrueAt,
  type JsonRecord,
  lineAt,
  linkAt,
  listAt,
  proseAt,
  recordAt,
} from '../../sanitize/json-path.ts'
import type { RefChange } from '../activity.ts'
import { maxCommits, type PushedCommit, type PushedRef } from '../push.ts'

/** The account is missing if no Bitbucket user has the commit's address; `raw` is "Name <address>". */
const authorOf = (commit: unknown) =>
  lineAt(commit, 'author.user.display_name', 'author.user.nickname') ??
  withoutAddress(lineAt(commit, 'author.raw') ?? '')

function withoutAddress(raw: string): string | null {
  const text = raw.trim()
  const open = text.endsWith('>') ? text.lastIndexOf('<') : -1
  return (open === -1 ? text : text.slice(0, open).trimEnd()) || null
}

const toCommit = (commit: unknown): PushedCommit => ({
  sha: lineAt(commit, 'hash'),
  url: linkAt(commit, 'links.html.href'),
  message: proseAt(commit, 'message'),
  author: authorOf(commit),
  committedAt: instantAt(commit, 'date'),
})

// Old bodies contain Mercurial's named branches and bookmarks.
const toRefType = (type: string | null): RefChange['type'] => {
  if (type === 'tag' || type === 'annotated_tag') return 'tag'
  return type === null || /branch|bookmark/.test(type) ? 'branch' : 'other'
}

/** Bitbucket lists the newest five commits of a change, newest first, and sets `truncated` if there were more. */
const toRef = (change: unknown): PushedRef => {
  const [oldSide, newSide] = [recordAt(change, 'old'), recordAt(change, 'new')]
  const side = newSide ?? oldSide
  const commits = listAt(change, 'commits')
  const name = lineAt(side, 'name') ?? 'an unnamed ref'
  const head = toCommit(recordAt(side, 'target'))
  return {
    type: toRefType(lineAt(side, 'type')),
    ref: name,
    name,
    created: newSide !== null && oldSide === null,
    deleted: newSide === null && oldSide !== null,
    forced: isTrueAt(change, 'forced'),
    after: newSide === null ? null : head.sha,
    commits: commits.slice(0, maxCommits).map(toCommit).reverse(),
    listed: commits.length,
    total: commits.length,
    isTruncated: isTrueAt(change, 'truncated'),
    head:
      newSide === null
        ? { sha: null, url: null, message: null, author: null, committedAt: null }
        : { ...head, author: null },
  }
}

export const bitbucketPush = (body: JsonRecord): readonly PushedRef[] =>
  listAt(body, 'push.changes').slice(0, maxCommits).map(toRef)
