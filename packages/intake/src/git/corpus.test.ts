import { describe, expect, it } from 'vitest'
import { type CorpusCase, corpusCases } from '../../build/corpus.ts'
import type { GitDelivery, GitHostKey } from './activity.ts'
import { gitHosts, isGitHostKey } from './hosts/index.ts'

type Case = Omit<CorpusCase, 'provider'> & { readonly host: GitHostKey }

const bytes = (value: unknown) => new TextEncoder().encode(JSON.stringify(value))

const ownCases: readonly Case[] = [
  {
    file: 'own: a GitHub issue',
    host: 'github',
    headers: { 'X-GitHub-Event': 'issues' },
    body: bytes({
      action: 'opened',
      issue: { number: 4, title: 'Typo', html_url: 'https://git.example/a/b/issues/4' },
      repository: { id: 9, full_name: 'a/b' },
      sender: { login: 'ada' },
    }),
    expected: {
      event: 'issues',
      action: 'opened',
      is_issue_open: true,
      issue_number: 4,
      issue_title: 'Typo',
      issue_url: 'https://git.example/a/b/issues/4',
      actor: 'ada',
      repo: 'a/b',
      is_ping: false,
    },
  },
  {
    file: 'own: a GitLab merge request',
    host: 'gitlab',
    headers: { 'X-Gitlab-Event': 'Merge Request Hook' },
    body: bytes({
      object_kind: 'merge_request',
      user: { username: 'root', name: 'Administrator' },
      project: { path_with_namespace: 'g/p' },
      object_attributes: {
        iid: 2,
        title: 'Faster',
        state: 'merged',
        action: 'merge',
        source_branch: 'fast',
        target_branch: 'main',
      },
    }),
    expected: {
      object_kind: 'merge_request',
      action: 'merge',
      is_issue_open: false,
      pr_number: 2,
      pr_title: 'Faster',
      pr_state: 'merged',
      pr_source: 'fast',
      pr_target: 'main',
      actor: 'root',
      actor_accept: ['root', 'Administrator'],
      repo: 'g/p',
    },
  },
]

const realCases = (): readonly Case[] =>
  corpusCases().flatMap(({ provider, ...entry }) => (isGitHostKey(provider) ? [{ ...entry, host: provider }] : []))

/** How to find each label in a parsed delivery. */
const readings: Readonly<Record<string, (read: GitDelivery) => unknown>> = {
  event: (read) => read.event,
  object_kind: (read) => read.objectKind,
  action: (read) => read.action,
  is_issue_open: (read) => read.issueOpened !== null,
  is_ping: (read) => read.isPing,
  actor: (read) => read.actor?.name ?? null,
  repo: (read) => read.repository?.name ?? null,
  issue_number: (read) => read.issue?.number ?? null,
  issue_title: (read) => read.issue?.title ?? null,
  issue_url: (read) => read.issue?.url ?? null,
  issue_is_pull_request: (read) => read.issue?.isPullRequest ?? null,
  confidential: (read) => read.issue?.confidential ?? null,
  work_item_type: (read) => read.issue?.type ?? null,
  pr_number: (read) => read.pullRequest?.number ?? null,
  pr_title: (read) => read.pullRequest?.title ?? null,
  pr_url: (read) => read.pullRequest?.url ?? null,
  pr_state: (read) => read.pullRequest?.state ?? null,
  pr_merged: (read) => read.pullRequest?.merged ?? null,
  pr_source: (read) => read.pullRequest?.source ?? null,
  pr_target: (read) => read.pullRequest?.target ?? null,
  commits: (read) => read.push?.listed ?? null,
  commits_total: (read) => (read.push === null ? null : Number(read.push.count)),
  ref: (read) => read.push?.changes[0]?.ref ?? read.activities[0]?.ref ?? null,
  ref_type: (read) => read.activities[0]?.kind ?? null,
  head_sha: (read) => read.push?.changes[0]?.after ?? null,
  created: (read) => read.push?.changes[0]?.created ?? null,
  deleted: (read) => read.push?.changes[0]?.deleted ?? null,
  changes: (read) => read.push?.changes.length ?? null,
  truncated: (read) => read.push?.count.endsWith('+') ?? null,
  refs: (read) =>
    read.push?.changes.map(({ type, name, created, deleted }) => ({ type, name, created, deleted })) ?? null,
}

const isSame = (found: unknown, wanted: unknown) =>
  // An empty text counts as null.
  JSON.stringify(found === '' ? null : found) === JSON.stringify(wanted === '' ? null : wanted)

const judge = ({ host, headers, body, expected }: Case) => {
  const read = gitHosts[host].readEvent(headers, body)
  return Object.entries(expected).flatMap(([label, wanted]) => {
    const reading = readings[label]
    if (reading === undefined) return []
    const found = reading(read)
    const accepted = expected[`${label}_accept`]
    const others: readonly unknown[] = Array.isArray(accepted) ? accepted : []
    return [{ label, found, wanted, right: [wanted, ...others].some((value) => isSame(found, value)) }]
  })
}

const cases = [...ownCases, ...realCases()]

describe(`real Git deliveries (${cases.length} bodies)`, () => {
  it('open an issue exactly when labeled so', () => {
    const wrong = cases.filter((one) => {
      const judged = judge(one).find(({ label }) => label === 'is_issue_open')
      return judged?.right !== true
    })
    expect(wrong.map(({ file }) => file)).toEqual([])
  })

  it('are read correctly in at least 98 of 100 labeled fields', () => {
    const verdicts = cases.flatMap((one) => judge(one).map((decision) => ({ file: one.file, ...decision })))
    const wrong = verdicts.filter(({ right }) => !right)
    expect(verdicts.length).toBeGreaterThan(15)
    expect({ share: 1 - wrong.length / verdicts.length >= 0.98, wrong }).toMatchObject({ share: true })
  })

  it('each produce at least one activity, titled by a sentence of at most 255 characters', () => {
    for (const { host, headers, body } of cases) {
      const { activities } = gitHosts[host].readEvent(headers, body)
      expect(activities.length).toBeGreaterThan(0)
      for (const { title } of activities) expect(title).toMatch(/^\S.{5,254}$/u)
    }
  })
})
