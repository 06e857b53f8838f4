import {
  type CorpusCase as Case,
  corpusCases,
  corpusJson,
  isRight as isSame,
  type Labels,
} from '../../../intake/build/corpus.ts'

export type { Case }

const bytes = (value: unknown) => new TextEncoder().encode(typeof value === 'string' ? value : JSON.stringify(value))
const json = { 'content-type': 'application/json' }

const ownCases: readonly Case[] = [
  {
    file: 'own: an issue is opened',
    provider: 'github',
    headers: { ...json, 'X-GitHub-Event': 'issues' },
    body: bytes({
      action: 'opened',
      issue: { number: 4, title: 'Typo', html_url: 'https://git.example/a/b/issues/4', body: null },
      repository: { id: 9, full_name: 'a/b' },
      sender: { login: 'ada' },
    }),
    expected: { event: 'issues', is_issue_open: true, issue_title: 'Typo', actor: 'ada', repo: 'a/b' },
  },
  {
    file: 'own: a merge request',
    provider: 'gitlab',
    headers: { ...json, 'X-Gitlab-Event': 'Merge Request Hook' },
    body: bytes({
      object_kind: 'merge_request',
      user: { username: 'root', name: 'Administrator' },
      project: { path_with_namespace: 'g/p' },
      object_attributes: { iid: 2, title: 'Faster', state: 'merged', action: 'merge' },
    }),
    expected: { event: 'Merge Request Hook', is_issue_open: false, actor: 'root', repo: 'g/p' },
  },
  {
    file: 'own: a push of two commits',
    provider: 'bitbucket',
    headers: { ...json, 'X-Event-Key': 'repo:push' },
    body: bytes({
      actor: { display_name: 'Emma' },
      repository: { full_name: 'acme/web' },
      push: {
        changes: [
          {
            new: { type: 'branch', name: 'main' },
            old: { type: 'branch', name: 'main' },
            commits: [
              { hash: 'a'.repeat(40), message: 'One' },
              { hash: 'b'.repeat(40), message: 'Two' },
            ],
          },
        ],
      },
    }),
    expected: { event: 'repo:push', is_issue_open: false, commits: 2, actor: 'Emma', repo: 'acme/web' },
  },
  {
    file: 'own: the documented report',
    provider: 'errors',
    headers: json,
    body: bytes({ message: 'No such coupon', exception: 'CouponMissing', file: 'app/Coupons.php', line: 12 }),
    expected: { message: 'No such coupon', exception: 'CouponMissing', file: 'app/Coupons.php', line: 12 },
  },
  {
    file: 'own: an announcement of two leads',
    provider: 'leads',
    headers: json,
    body: bytes({
      object: 'page',
      entry: [{ changes: [{ field: 'leadgen', value: { leadgen_id: 7 } }] }],
    }),
    expected: { source: 'facebook', has_pii: false },
  },
  {
    file: 'own: a form',
    provider: 'leads',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: bytes('name=Ada+Lovelace&email=ada%40example.org&phone=%2B13105559811&company=Engines'),
    expected: {
      source: 'website',
      name: 'Ada Lovelace',
      email: 'ada@example.org',
      phone: '+13105559811',
      company: 'Engines',
    },
  },
  {
    file: 'own: a log of an attendance device',
    provider: 'attendance',
    headers: { 'content-type': 'text/plain' },
    body: bytes('1\t2026-11-20 09:00:00\t0\t1\t0\n'),
    expected: {},
  },
]

export const allCases = (): readonly Case[] => [...ownCases, ...corpusCases()]

interface Pairs {
  readonly must_merge: readonly (readonly [exception: string, first: string, second: string])[]
  readonly must_split: readonly { readonly a: Labels; readonly b: Labels }[]
}

const ownPairs: Pairs = {
  must_merge: [
    ['LookupError', 'no row 5f0e1d2c-0000-4000-8000-000000000001', 'no row 0a0b0c0d-1111-4111-9111-0123456789ab'],
    ['TimeoutError', 'gave up after 1.5 s', 'gave up after 900ms'],
  ],
  must_split: [
    { a: { message: "Unknown column 'price'" }, b: { message: "Unknown column 'total'" } },
    { a: { message: 'boom', app_name: 'shop' }, b: { message: 'boom', app_name: 'mail' } },
  ],
}

export function allPairs(): Pairs {
  const real = corpusJson('errors/DEDUPE_PAIRS.json') as Pairs | undefined // as its README says
  if (real === undefined) return ownPairs
  return {
    must_merge: [...ownPairs.must_merge, ...real.must_merge],
    must_split: [...ownPairs.must_split, ...real.must_split],
  }
}

/** Compares as in the corpus, where an empty text equals null. */
export const isRight = (expected: Labels, label: string, found: unknown): boolean =>
  [found, found === '' ? null : found, found === null ? '' : found].some((value) => isSame(expected, label, value))
