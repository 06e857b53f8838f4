import { instantAt, isTrueAt, type JsonRecord, lineAt, linkAt, proseAt } from '../../sanitize/json-path.ts'
import { isNoCommit, maxCommits, type PushedCommit, type PushedRef, parseRef } from '../push.ts'

const toCommit = (commit: unknown): PushedCommit => ({
  sha: lineAt(commit, 'id', 'sha'),
  url: linkAt(commit, 'url'),
  message: proseAt(commit, 'message'),
  author: lineAt(commit, 'author.username', 'author.name'),
  committedAt: instantAt(commit, 'timestamp'),
})

const toHead = (body: JsonRecord): PushedCommit => {
  const head = toCommit(body['head_commit'])
  return { ...head, sha: head.sha ?? lineAt(body, 'after'), url: head.url ?? linkAt(body, 'compare') }
}

/** A GitHub push changes exactly one ref. A `git push` of several refs sends several deliveries. */
export const githubPush = (body: JsonRecord, commits: readonly unknown[]): readonly PushedRef[] => {
  const [before, after] = [lineAt(body, 'before'), lineAt(body, 'after')]
  return [
    {
      ...parseRef(lineAt(body, 'ref') ?? 'an unnamed ref'),
      // Very old hooks omit the flags. Forty zeros mean the same.
      created: isTrueAt(body, 'created') || (before !== null && isNoCommit(before)),
      deleted: isTrueAt(body, 'deleted') || (after !== null && isNoCommit(after)),
      forced: isTrueAt(body, 'forced'),
      after,
      commits: commits.slice(0, maxCommits).map(toCommit),
      listed: commits.length,
      total: commits.length,
      // GitHub truncates the list here and does not report the total.
      isTruncated: commits.length >= maxCommits,
      head: toHead(body),
    },
  ]
}
