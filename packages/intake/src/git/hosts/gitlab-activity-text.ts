import { instantAt, type JsonRecord, lineAt, linkAt, recordAt } from '../../sanitise/json-path.ts'
import type { GitActor, IssueFacts, PullRequestFacts } from '../activity.ts'
import { did, happened, inWords, numbered, verbFor } from '../activity-text.ts'
import type { ActivityText } from './host.ts'

type GitLabEvent = {
  readonly event: string
  readonly kind: string | null
  readonly action: string | null
  readonly actor: GitActor | null
  readonly body: JsonRecord
  readonly issue: IssueFacts | null
  readonly pullRequest: PullRequestFacts | null
}

type Teller = (told: GitLabEvent) => ActivityText

const times = ['object_attributes.updated_at', 'object_attributes.created_at', 'updated_at', 'created_at'] as const

const issue: Teller = ({ action, actor, issue: facts, body }) => ({
  kind: 'issue',
  title: did(
    actor,
    `${verbFor(action)} ${numbered((facts?.type ?? 'issue').toLowerCase(), facts ?? { number: null, title: null })}`,
  ),
  url: facts?.url ?? null,
  at: instantAt(body, ...times),
})

const mergeRequest: Teller = ({ action, actor, pullRequest, body }) => ({
  kind: 'pull_request',
  title: did(actor, `${verbFor(action)} ${numbered('merge request', pullRequest ?? { number: null, title: null })}`),
  url: pullRequest?.url ?? null,
  ref: pullRequest?.source ?? null,
  commitSha: lineAt(body, 'object_attributes.last_commit.id'),
  at: instantAt(body, ...times),
})

const noteTarget = ({ body, issue: facts, pullRequest }: GitLabEvent): string => {
  if (pullRequest !== null) return numbered('merge request', pullRequest)
  if (facts !== null) return numbered('issue', facts)
  const commit = lineAt(body, 'commit.id')
  if (commit !== null) return `commit ${commit.slice(0, 8)}`
  const target = lineAt(body, 'snippet.title', 'design.filename', 'wiki_page.title')
  return [inWords(lineAt(body, 'object_attributes.noteable_type') ?? 'something').toLowerCase(), target]
    .filter(Boolean)
    .join(' ')
}

const note: Teller = (told) => ({
  kind: 'comment',
  title: did(told.actor, `${told.action === 'update' ? 'edited a comment on' : 'commented on'} ${noteTarget(told)}`),
  url: linkAt(told.body, 'object_attributes.url'),
  commitSha: lineAt(told.body, 'commit.id'),
  at: instantAt(told.body, ...times),
})

const pipeline: Teller = ({ actor, body, pullRequest }) => ({
  kind: 'build',
  title: happened({
    thing: `pipeline ${lineAt(body, 'object_attributes.status') ?? 'changed'}`,
    action: null,
    actor,
    subject: [
      lineAt(body, 'object_attributes.name', 'object_attributes.ref'),
      pullRequest === null ? null : numbered('merge request', pullRequest),
    ]
      .filter(Boolean)
      .join(', '),
  }),
  url: linkAt(body, 'object_attributes.url'),
  ref: lineAt(body, 'object_attributes.ref'),
  commitSha: lineAt(body, 'object_attributes.sha'),
  at: instantAt(body, 'object_attributes.finished_at', ...times),
})

const job: Teller = ({ actor, body }) => ({
  kind: 'build',
  title: happened({
    thing: `job ${lineAt(body, 'build_status') ?? 'changed'}`,
    action: null,
    actor,
    subject: [lineAt(body, 'build_stage'), lineAt(body, 'build_name')].filter(Boolean).join(' / '),
  }),
  ref: lineAt(body, 'ref'),
  commitSha: lineAt(body, 'sha'),
  at: instantAt(body, 'build_finished_at', 'build_started_at', 'build_created_at'),
})

const deployment: Teller = ({ actor, body }) => ({
  kind: 'deployment',
  title: happened({
    thing: `deployment ${lineAt(body, 'status') ?? 'changed'}`,
    action: null,
    actor,
    subject: lineAt(body, 'environment'),
  }),
  url: linkAt(body, 'deployable_url', 'commit_url'),
  ref: lineAt(body, 'ref'),
  commitSha: lineAt(body, 'short_sha'),
  at: instantAt(body, 'status_changed_at'),
})

const release: Teller = ({ action, actor, body }) => ({
  kind: 'release',
  title: happened({ thing: 'release', action, actor, subject: lineAt(body, 'name', 'tag') }),
  url: linkAt(body, 'url'),
  ref: lineAt(body, 'tag'),
  at: instantAt(body, 'released_at', 'created_at'),
})

/** Milestones, wiki pages, feature flags, emoji, members, system hooks: one generic wording with the body's name. */
const anyOther: Teller = ({ event, kind, action, actor, body }) => {
  const attributes = recordAt(body, 'object_attributes')
  return {
    kind: 'other',
    title: happened({
      thing: kind ?? event,
      action: action ?? lineAt(attributes, 'state'),
      actor,
      subject: lineAt(attributes, 'title', 'name') ?? lineAt(body, 'name', 'group_name', 'project_name'),
    }),
    url: linkAt(attributes, 'url', 'awarded_on_url'),
    at: instantAt(body, ...times),
  }
}

const tellers = new Map<string, Teller>([
  ['issue', issue],
  ['work_item', issue],
  ['merge_request', mergeRequest],
  ['note', note],
  ['pipeline', pipeline],
  ['build', job],
  ['deployment', deployment],
  ['release', release],
])

export const gitlabActivityText: Teller = (told) => (tellers.get(told.kind ?? '') ?? anyOther)(told)
