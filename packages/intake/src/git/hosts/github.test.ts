import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { github } from './github.ts'

const repository = { id: 9, full_name: 'octo/hello', html_url: 'https://github.com/octo/hello' }
const sender = { login: 'octocat', html_url: 'https://github.com/octocat' }
const issue = {
  number: 3,
  title: 'It breaks',
  html_url: 'https://github.com/octo/hello/issues/3',
  body: 'See <b>here</b> @team',
  user: { login: 'ada' },
}

const encode = (body: unknown) => new TextEncoder().encode(JSON.stringify(body))
const read = (event: string, body: object, headers: Record<string, string> = {}) =>
  github.readEvent({ 'X-GitHub-Event': event, ...headers }, encode({ repository, sender, ...body }))
const titles = (event: string, body: object) => read(event, body).activities.map(({ title }) => title)

describe('a GitHub issue', () => {
  it('opens a ticket with its title, text, link, and author', () => {
    expect(read('issues', { action: 'opened', issue }).issueOpened).toEqual({
      repositoryKey: 'github.com#9',
      issueKey: '3',
      number: 3,
      title: 'It breaks',
      url: 'https://github.com/octo/hello/issues/3',
      body: 'See <b>here</b> @team',
      author: 'ada',
      confidential: false,
    })
  })

  it('opens a ticket without a body, and after a transfer', () => {
    expect(read('issues', { action: 'opened', issue: { ...issue, body: null } }).issueOpened?.body).toBeNull()
    const moved = {
      action: 'opened',
      issue,
      changes: { old_issue: { number: 1 }, old_repository: { full_name: 'a/b' } },
    }
    expect(read('issues', moved).issueOpened?.number).toBe(3)
  })

  it('opens a ticket from the three documented fields alone, identified by its URL', () => {
    const { number, title, html_url } = issue
    const body = encode({ action: 'opened', issue: { number, title, html_url } })
    const opened = github.readEvent({ 'x-github-event': 'issues' }, body).issueOpened
    expect(opened).toMatchObject({ repositoryKey: 'github.com/octo/hello', issueKey: '3', author: null })
  })

  it.each(['reopened', 'edited', 'labeled', 'assigned', 'transferred', 'closed', 'deleted', 'pinned'])(
    'opens no ticket when it is %s',
    (action) => {
      expect(read('issues', { action, issue }).issueOpened).toBeNull()
    },
  )

  it('opens no ticket for a pull request, a comment, or an issue without a number', () => {
    expect(read('issues', { action: 'opened', issue: { ...issue, pull_request: {} } }).issueOpened).toBeNull()
    expect(read('issue_comment', { action: 'opened', issue }).issueOpened).toBeNull()
    expect(read('pull_request', { action: 'opened', issue }).issueOpened).toBeNull()
    expect(read('issues', { action: 'opened', issue: null }).issueOpened).toBeNull()
    expect(read('issues', { action: 'opened', issue: { title: 'x' } }).issueOpened).toBeNull()
  })

  it('has a key that includes the server and the repository', () => {
    const keyOf = (other: object) =>
      read('issues', { action: 'opened', issue, repository: other }).issueOpened?.repositoryKey
    const elsewhere = { ...repository, html_url: 'https://git.company.example/octo/hello' }
    expect(new Set([keyOf(repository), keyOf(elsewhere), keyOf({ ...repository, id: 10 })]).size).toBe(3)
    expect(keyOf({ ...repository, full_name: 'octo/renamed' })).toBe(keyOf(repository))
  })
})

describe('a GitHub push', () => {
  const commit = (id: string, message: string) => ({
    id,
    message,
    url: `https://github.com/octo/hello/commit/${id}`,
    timestamp: '2026-01-02T03:04:05+01:00',
    author: { name: 'Ada', username: 'ada' },
  })
  const push = { ref: 'refs/heads/main', before: 'a1', after: 'c3', created: false, deleted: false, forced: false }

  it('produces one activity per commit', () => {
    const delivery = read('push', { ...push, commits: [commit('b2', 'First\n\nWhy.'), commit('c3', 'Second')] })
    expect(delivery.activities).toMatchObject([
      {
        kind: 'commit',
        title: 'octocat pushed to branch main (2 commits): First',
        commitSha: 'b2',
        commitAuthor: 'ada',
      },
      {
        kind: 'commit',
        title: 'octocat pushed to branch main (2 commits): Second',
        commitSha: 'c3',
        ref: 'refs/heads/main',
      },
    ])
    expect(delivery.activities[0]?.occurredAt).toBe(Date.parse('2026-01-02T02:04:05Z') * 1000)
    expect(delivery.push).toMatchObject({ listed: 2, count: '2' })
  })

  it.each([
    ['a deleted branch', { ...push, deleted: true, head_commit: null }, 'octocat deleted branch main'],
    ['a created branch', { ...push, created: true }, 'octocat created branch main'],
    ['a new tag', { ...push, ref: 'refs/tags/v1', created: true }, 'octocat created tag v1'],
    ['a deleted tag', { ...push, ref: 'refs/tags/v1', deleted: true }, 'octocat deleted tag v1'],
    ['a forced push', { ...push, forced: true }, 'octocat force-pushed branch main'],
    ['nothing new', push, 'octocat pushed to branch main without new commits'],
    ['another ref', { ...push, ref: 'refs/notes/x', created: true }, 'octocat created refs/notes/x'],
    ['forty zeros', { ref: push.ref, before: 'a1', after: '0'.repeat(40) }, 'octocat deleted branch main'],
  ])('describes %s in one sentence', (_, body, expected) => {
    expect(titles('push', { commits: [], ...body })).toEqual([expected])
  })

  it('counts "2048+" if the list has GitHub’s maximum length, and stores no more', () => {
    const commits = Array.from({ length: 3_000 }, (_, index) => commit(`c${index}`, 'x'))
    expect(read('push', { ...push, commits: commits.slice(0, 2_048) }).push?.count).toBe('2048+')
    expect(read('push', { ...push, commits }).activities).toHaveLength(2_048)
  })

  it('has the pusher’s email address only if the pusher is the actor', () => {
    const email = (name: string, address: string) =>
      read('push', { ...push, pusher: { name, email: address } }).actor?.email
    expect(email('octocat', 'o@example.com')).toBe('o@example.com')
    expect(email('someone', 'o@example.com')).toBeNull()
    expect(email('octocat', '[REDACTED]')).toBeNull()
  })
})

describe('other GitHub events', () => {
  const pull = {
    number: 5,
    title: 'Faster',
    html_url: 'https://github.com/octo/hello/pull/5',
    head: { ref: 'fast' },
    base: { ref: 'main' },
  }

  it.each([
    ['pull_request', { action: 'opened', pull_request: pull }, 'octocat opened pull request #5: Faster'],
    [
      'pull_request',
      { action: 'closed', pull_request: { ...pull, merged: true } },
      'octocat merged pull request #5: Faster',
    ],
    [
      'pull_request',
      { action: 'closed', pull_request: { ...pull, merged: false } },
      'octocat closed pull request #5: Faster',
    ],
    ['issue_comment', { action: 'created', issue }, 'octocat commented on issue #3: It breaks'],
    [
      'issue_comment',
      { action: 'deleted', issue: { ...issue, pull_request: {} } },
      'octocat deleted a comment on pull request #3: It breaks',
    ],
    [
      'pull_request_review',
      { action: 'submitted', review: { state: 'approved' }, pull_request: pull },
      'octocat approved pull request #5: Faster',
    ],
    ['create', { ref: 'v1', ref_type: 'tag' }, 'octocat created tag v1'],
    ['delete', { ref: 'old', ref_type: 'branch' }, 'octocat deleted branch old'],
    ['release', { action: 'published', release: { tag_name: 'v1' } }, 'octocat published release v1'],
    ['check_run', { action: 'completed', check_run: { name: 'lint' } }, 'Check run completed by octocat: lint'],
    ['never_heard_of', { action: 'happened' }, 'Never heard of happened by octocat'],
    ['constructor', {}, 'Constructor by octocat'],
    ['ping', { zen: 'Design for failure.' }, 'GitHub checked the webhook: Design for failure.'],
  ])('%s becomes one sentence', (event, body, expected) => {
    expect(titles(event, body)).toEqual([expected])
  })

  it('are read without a repository or a sender', () => {
    const delivery = read('security_advisory', { action: 'published', repository: null, sender: null })
    expect(delivery).toMatchObject({ repository: null, actor: null, issueOpened: null })
    expect(delivery.activities).toHaveLength(1)
  })

  it('include pings', () => {
    expect(read('ping', {})).toMatchObject({ isPing: true, issueOpened: null })
  })

  it('name a repository by owner and short name if there is no full name', () => {
    expect(read('team', { repository: { name: 'hello', owner: { login: 'octo' } } }).repository?.name).toBe(
      'octo/hello',
    )
  })
})

describe('a form-encoded GitHub delivery', () => {
  const form = new TextEncoder().encode(
    new URLSearchParams({ payload: JSON.stringify({ action: 'opened', issue, repository, sender }) }).toString(),
  )

  it('reads like the same delivery in JSON', () => {
    const headers = { 'X-GitHub-Event': 'issues', 'X-GitHub-Delivery': 'g1' }
    const asForm = github.readEvent(
      { ...headers, 'Content-Type': 'application/x-www-form-urlencoded; charset=utf-8' },
      form,
    )
    expect(asForm).toEqual(read('issues', { action: 'opened', issue }, headers))
    expect(github.readEvent(headers, form)).toEqual(asForm)
  })

  it('is unreadable without a payload', () => {
    const headers = { 'X-GitHub-Event': 'issues', 'Content-Type': 'application/x-www-form-urlencoded' }
    expect(() => github.readEvent(headers, new TextEncoder().encode('a=b'))).toThrow('not valid JSON')
  })
})

describe('a Gogs delivery', () => {
  const body = encode({ action: 'opened', issue: { number: 7, title: 'It breaks' }, repository, sender })
  const headers = { 'X-Gogs-Event': 'issues', 'X-Gogs-Delivery': 'g-7' }

  it('is read under its own headers', () => {
    expect(github.readEvent(headers, body)).toMatchObject({
      event: 'issues',
      deliveryId: 'g-7',
      issueOpened: { number: 7, title: 'It breaks' },
    })
  })

  it("prefers GitHub's headers if both are present", () => {
    expect(github.readEvent({ ...headers, 'X-GitHub-Event': 'ping' }, body)).toMatchObject({ event: 'ping' })
  })

  it('is verified by its digest, unless it has a GitHub signature', () => {
    const secret = 'the secret'
    const digest = createHmac('sha256', secret).update(body).digest('hex')
    const verify = (signed: Record<string, string>) =>
      github.verify({ headers: { ...headers, ...signed }, body, secrets: [secret], nowMs: 0 })
    expect(verify({ 'X-Gogs-Signature': digest })).toBe(true)
    expect(verify({ 'X-Gogs-Signature': digest.replace(/^./, digest.startsWith('0') ? '1' : '0') })).toBe(false)
    expect(verify({ 'X-Gogs-Signature': digest, 'X-Hub-Signature-256': 'sha256=00' })).toBe(false)
    expect(verify({})).toBe(false)
  })
})
