import { countAt, instantAt, type JsonRecord, lineAt, linkAt, listAt, proseAt } from '../../sanitize/json-path.ts'
import { isNoCommit, maxCommits, type PushedCommit, type PushedRef, parseRef } from '../push.ts'

const toCommit = (commit: unknown): PushedCommit => ({
  sha: lineAt(commit, 'id'),
  url: linkAt(commit, 'url'),
  message: proseAt(commit, 'message', 'title'),
  author: lineAt(commit, 'author.name'),
  committedAt: instantAt(commit, 'timestamp'),
})

/** Only the newest 20 commits are listed; `total_commits_count` is the real number. */
export const gitlabPush = (body: JsonRecord): readonly PushedRef[] => {
  const [before, after] = [lineAt(body, 'before'), lineAt(body, 'after')]
  const commits = listAt(body, 'commits')
  return [
    {
      ...parseRef(lineAt(body, 'ref') ?? 'an unnamed ref'),
      created: before !== null && isNoCommit(before),
      deleted: after !== null && isNoCommit(after),
      forced: false,
      after,
      commits: commits.slice(0, maxCommits).map(toCommit),
      listed: commits.length,
      total: Math.max(commits.length, countAt(body, 'total_commits_count') ?? 0),
      isTruncated: false,
      head: {
        sha: lineAt(body, 'checkout_sha', 'after'),
        url: linkAt(body, 'project.web_url'),
        message: null,
        author: null,
        committedAt: null,
      },
    },
  ]
}
