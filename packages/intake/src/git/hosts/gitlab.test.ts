import { describe, expect, it } from 'vitest'
import { gitlab } from './gitlab.ts'

const project = { id: 24, path_with_namespace: 'group/app', web_url: 'https://gitlab.example/group/app' }
const user = { username: 'root', name: 'Administrator', email: '[REDACTED]' }
const issue = {
  id: 181,
  iid: 1,
  title: 'It breaks',
  url: 'https://gitlab.example/group/app/-/issues/1',
  description: 'Badly.',
  action: 'open',
  confidential: false,
}

const read = (event: string, body: object) =>
  gitlab.readEvent({ 'X-Gitlab-Event': event }, new TextEncoder().encode(JSON.stringify({ project, user, ...body })))
const titles = (event: string, body: object) => read(event, body).activities.map(({ title }) => title)
const openedBy = (event: string, attributes: object, body: object = {}) =>
  read(event, { object_kind: 'issue', object_attributes: { ...issue, ...attributes }, ...body }).issueOpened

describe('a GitLab issue', () => {
  it('opens a ticket with its title, text, link, and author', () => {
    expect(openedBy('Issue Hook', {})).toEqual({
      repositoryKey: 'gitlab.example#24',
      issueKey: '181',
      number: 1,
      title: 'It breaks',
      url: 'https://gitlab.example/group/app/-/issues/1',
      body: 'Badly.',
      author: 'root',
      confidential: false,
    })
  })

  it('is confidential if its hook or its own field says so', () => {
    expect(openedBy('Confidential Issue Hook', {})?.confidential).toBe(true)
    expect(openedBy('Issue Hook', { confidential: true })?.confidential).toBe(true)
  })

  it.each(['Task', 'Incident', 'Requirement', 'Test Case', 'Objective', 'Key Result'])('opens one as a %s', (type) => {
    const opened = read('Issue Hook', { object_kind: 'work_item', object_attributes: { ...issue, type } })
    expect(opened.issueOpened?.number).toBe(1)
    expect(opened.activities[0]?.title).toBe(`root opened ${type.toLowerCase()} #1: It breaks`)
  })

  it('is distinct from an epic with the same number', () => {
    const epic = { ...issue, id: 900, type: 'Epic', url: 'https://gitlab.example/groups/group/-/work_items/1' }
    const opened = read('Issue Hook', {
      object_kind: 'work_item',
      project: null,
      repository: null,
      object_attributes: epic,
    })
    expect(opened.issueOpened).toMatchObject({ repositoryKey: 'gitlab.example#group', issueKey: '900', number: 1 })
    expect(opened.repository).toBeNull()
  })

  it.each(['reopen', 'update', 'close', undefined])('opens no ticket on %s', (action) => {
    expect(openedBy('Issue Hook', { action })).toBeNull()
  })

  it('opens no ticket under another hook or as another kind', () => {
    expect(openedBy('Note Hook', {})).toBeNull()
    expect(openedBy('Merge Request Hook', {})).toBeNull()
    expect(openedBy('Issue Hook', {}, { object_kind: 'merge_request' })).toBeNull()
  })

  it('does not store a redacted email address', () => {
    expect(read('Issue Hook', {}).actor).toEqual({ name: 'root', url: null, email: null })
  })
})

describe('a GitLab push', () => {
  const commit = (id: string, message: string) => ({
    id,
    message,
    timestamp: '2026-01-02T03:04:05Z',
    author: { name: 'Ada' },
  })
  const push = {
    object_kind: 'push',
    user: undefined,
    user_username: 'ada',
    ref: 'refs/heads/main',
    before: 'a',
    after: 'b',
  }

  it('produces one activity per listed commit and counts the unlisted ones', () => {
    const delivery = read('Push Hook', {
      ...push,
      total_commits_count: 25,
      commits: [commit('b1', 'One'), commit('b2', 'Two')],
    })
    expect(delivery.activities.map(({ title }) => title)).toEqual([
      'ada pushed to branch main (25 commits): One',
      'ada pushed to branch main (25 commits): Two',
    ])
    expect(delivery.push).toMatchObject({ listed: 2, count: '25' })
  })

  it.each([
    ['Push Hook', { after: '0'.repeat(40), checkout_sha: null }, 'ada deleted branch main'],
    ['Push Hook', { before: '0'.repeat(40) }, 'ada created branch main'],
    ['Tag Push Hook', { object_kind: 'tag_push', ref: 'refs/tags/v1', before: '0'.repeat(40) }, 'ada created tag v1'],
    ['Tag Push Hook', { object_kind: 'tag_push', ref: 'refs/tags/v1', after: '0'.repeat(40) }, 'ada deleted tag v1'],
    ['System Hook', {}, 'ada pushed to branch main without new commits'],
  ])('under %s describes the change of the ref', (event, changes, expected) => {
    expect(titles(event, { ...push, commits: [], total_commits_count: 0, ...changes })).toEqual([expected])
  })
})

describe('other GitLab events', () => {
  const merge = {
    iid: 4,
    title: 'Faster',
    url: 'https://gitlab.example/m/4',
    state: 'merged',
    source_branch: 'fast',
    target_branch: 'main',
  }

  it.each([
    [
      'Merge Request Hook',
      { object_kind: 'merge_request', object_attributes: { ...merge, action: 'merge' } },
      'root merged merge request #4: Faster',
    ],
    [
      'Note Hook',
      { object_kind: 'note', merge_request: merge, object_attributes: { note: 'ok' } },
      'root commented on merge request #4: Faster',
    ],
    [
      'Note Hook',
      { object_kind: 'note', issue, object_attributes: { action: 'update' } },
      'root edited a comment on issue #1: It breaks',
    ],
    [
      'Note Hook',
      { object_kind: 'note', commit: { id: 'abcdef0123' }, object_attributes: {} },
      'root commented on commit abcdef01',
    ],
    [
      'Pipeline Hook',
      { object_kind: 'pipeline', object_attributes: { status: 'failed', ref: 'main' } },
      'Pipeline failed by root: main',
    ],
    [
      'Pipeline Hook',
      { object_kind: 'pipeline', merge_request: merge, object_attributes: { status: 'failed', ref: 'faster' } },
      'Pipeline failed by root: faster, merge request #4: Faster',
    ],
    [
      'Job Hook',
      { object_kind: 'build', build_status: 'success', build_stage: 'test', build_name: 'unit' },
      'Job success by root: test / unit',
    ],
    ['Release Hook', { object_kind: 'release', action: 'create', name: 'v1', user: null }, 'Release created: v1'],
    [
      'Milestone Hook',
      { object_kind: 'milestone', action: 'create', object_attributes: { title: 'M1' }, user: null },
      'Milestone created: M1',
    ],
    [
      'Member Hook',
      { event_name: 'user_add_to_group', user: undefined, user_username: 'ada', group_name: 'G' },
      'User add to group by ada: G',
    ],
    [
      'Vulnerability Hook',
      { object_kind: 'vulnerability', object_attributes: { title: 'Bad', state: 'confirmed' }, user: null },
      'Vulnerability confirmed: Bad',
    ],
    ['Brand New Hook', { user: null, project: null }, 'Brand New Hook'],
  ])('%s becomes one sentence', (event, body, expected) => {
    expect(titles(event, body)).toEqual([expected])
  })

  it('have the action of a release and of a milestone', () => {
    expect(read('Milestone Hook', { object_kind: 'milestone', action: 'close', object_attributes: {} }).action).toBe(
      'close',
    )
    expect(read('Release Hook', { object_kind: 'release', action: '' }).action).toBeNull()
  })
})
