import { describe, expect, it } from 'vitest'
import { bitbucket } from './bitbucket.ts'

const repository = { uuid: '{r1}', full_name: 'team/app', links: { html: { href: 'https://bitbucket.org/team/app' } } }
const actor = { display_name: 'Emma', nickname: 'emma', uuid: '{u1}' }
const target = (hash: string) => ({
  hash,
  message: 'Tip',
  date: '2026-01-02T03:04:05+00:00',
  author: { raw: 'Ada <ada@example.com>' },
})
const branch = (name: string) => ({ type: 'branch', name, target: target('c9') })

const read = (event: string, body: object) =>
  bitbucket.readEvent({ 'X-Event-Key': event }, new TextEncoder().encode(JSON.stringify(body)))
const titles = (event: string, body: object) =>
  read(event, { repository, actor, ...body }).activities.map(({ title }) => title)

describe('a Bitbucket push', () => {
  const push = (...changes: object[]) => read('repo:push', { repository, actor, push: { changes } })

  it('produces one activity per commit, oldest first, and counts "5+" if the list is truncated', () => {
    const commits = [5, 4, 3, 2, 1].map((number) => ({ ...target(`c${number}`), message: `Commit ${number}` }))
    const delivery = push({ old: branch('main'), new: branch('main'), commits, truncated: true })
    expect(delivery.push).toMatchObject({ listed: 5, count: '5+' })
    expect(delivery.activities[0]).toMatchObject({
      title: 'Emma pushed to branch main (5+ commits): Commit 1',
      commitSha: 'c1',
      commitAuthor: 'Ada',
    })
    expect(delivery.activities).toHaveLength(5)
  })

  it('names created and deleted branches and tags', () => {
    const delivery = push(
      { old: null, new: branch('topic'), created: true },
      { old: branch('old'), new: null, closed: true },
      { old: null, new: { type: 'annotated_tag', name: 'v1', target: target('c1') } },
      { old: { type: 'tag', name: 'v0', target: target('c0') }, new: null },
    )
    expect(delivery.activities.map(({ title }) => title)).toEqual([
      'Emma created branch topic',
      'Emma deleted branch old',
      'Emma created tag v1',
      'Emma deleted tag v0',
    ])
    expect(delivery.push?.changes.map(({ type, created, deleted }) => ({ type, created, deleted }))).toEqual([
      { type: 'branch', created: true, deleted: false },
      { type: 'branch', created: false, deleted: true },
      { type: 'tag', created: true, deleted: false },
      { type: 'tag', created: false, deleted: true },
    ])
  })

  it('produces one activity without changes', () => {
    expect(push().activities.map(({ title }) => title)).toEqual(['Emma pushed to team/app without changes'])
    expect(read('repo:push', { push: null }).activities).toHaveLength(1)
  })
})

describe('a Bitbucket issue', () => {
  const issue = {
    id: 7,
    title: 'It breaks',
    content: { raw: 'Badly.' },
    links: { html: { href: 'https://bitbucket.org/team/app/issues/7' } },
    reporter: { display_name: 'Ada' },
  }

  it('opens a ticket on creation', () => {
    expect(read('issue:created', { repository, actor, issue }).issueOpened).toEqual({
      repositoryKey: 'bitbucket.org#{r1}',
      issueKey: '7',
      number: 7,
      title: 'It breaks',
      url: 'https://bitbucket.org/team/app/issues/7',
      body: 'Badly.',
      author: 'Ada',
      confidential: false,
    })
  })

  it.each(['issue:updated', 'issue:comment_created', 'pullrequest:created', 'repo:push'])(
    'opens no ticket on %s',
    (event) => {
      expect(read(event, { repository, actor, issue }).issueOpened).toBeNull()
    },
  )
})

describe('other Bitbucket events', () => {
  const pullrequest = {
    id: 2,
    title: 'Faster',
    state: 'MERGED',
    source: { branch: { name: 'fast' } },
    destination: { branch: { name: 'main' } },
  }

  it.each([
    ['pullrequest:created', { pullrequest }, 'Emma opened pull request #2: Faster'],
    ['pullrequest:fulfilled', { pullrequest }, 'Emma merged pull request #2: Faster'],
    ['pullrequest:rejected', { pullrequest }, 'Emma declined pull request #2: Faster'],
    ['pullrequest:comment_deleted', { pullrequest }, 'Emma deleted a comment on pull request #2: Faster'],
    ['pullrequest:changes_request_created', { pullrequest }, 'Emma requested changes to pull request #2: Faster'],
    ['repo:commit_comment_created', { commit: { hash: 'abcdef0123' } }, 'Emma commented on commit abcdef01'],
    ['repo:commit_status_updated', { commit_status: { state: 'FAILED', name: 'Unit' } }, 'Build failed by Emma: Unit'],
    ['repo:fork', { fork: {} }, 'Repo fork by Emma'],
    ['something:new', {}, 'Something new by Emma'],
  ])('%s becomes one sentence', (event, body, expected) => {
    expect(titles(event, body)).toEqual([expected])
  })
})

describe('Bitbucket Data Center', () => {
  const own = {
    slug: 'app',
    project: { key: 'TEAM' },
    links: { self: [{ href: 'https://git.company.example/projects/TEAM/repos/app' }] },
  }
  const person = { name: 'emma', displayName: 'Emma', emailAddress: 'emma@example.com' }

  it('is read in its own format', () => {
    const pullRequest = {
      id: 3,
      title: 'Faster',
      state: 'OPEN',
      fromRef: { displayId: 'fast', latestCommit: 'abc' },
      toRef: { displayId: 'main', repository: own },
    }
    const delivery = read('pr:opened', { actor: person, pullRequest })
    expect(delivery).toMatchObject({
      repository: { name: 'TEAM/app', url: 'https://git.company.example/projects/TEAM/repos/app' },
      actor: { name: 'Emma', email: 'emma@example.com' },
      pullRequest: { number: 3, source: 'fast', target: 'main', merged: false },
    })
    expect(delivery.activities.map(({ title }) => title)).toEqual(['Emma opened pull request #3: Faster'])
  })

  it('produces one activity for a push of several refs', () => {
    const change = (displayId: string) => ({
      ref: { id: `refs/heads/${displayId}`, displayId, type: 'BRANCH' },
      type: 'UPDATE',
      toHash: 'abc',
    })
    const delivery = read('repo:refs_changed', {
      actor: person,
      repository: own,
      changes: [change('main'), change('next')],
    })
    expect(delivery.activities).toMatchObject([
      { kind: 'push', title: 'Emma pushed to branch main and 1 more', ref: 'refs/heads/main' },
    ])
  })

  it('sends a ping with an empty body', () => {
    const delivery = read('diagnostics:ping', { test: true })
    expect(delivery).toMatchObject({ isPing: true, issueOpened: null, repository: null, actor: null })
    expect(delivery.activities).toMatchObject([{ kind: 'ping' }])
  })
})
