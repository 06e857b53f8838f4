import { instantAt, type JsonRecord, lineAt, linkAt, recordAt } from '../../sanitize/json-path.ts'
import type { GitActor, IssueFacts, PullRequestFacts } from '../activity.ts'
import { actorSentence, eventSentence, inWords, numbered, verbFor } from '../activity-text.ts'
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

type DescribeEvent = (event: GitLabEvent) => ActivityText

const times = ['object_attributes.updated_at', 'object_attributes.created_at', 'updated_at', 'created_at'] as const

const issue: DescribeEvent = ({ action, actor, issue: facts, body }) => ({
  kind: 'issue',
  title: actorSentence(
    actor,
    `${verbFor(action)} ${numbered((facts?.type ?? 'issue').toLowerCase(), facts ?? { number: null, title: null })}`,
  ),
  url: facts?.url ?? null,
  occurredAt: instantAt(body, ...times),
})

const mergeRequest: DescribeEvent = ({ action, actor, pullRequest, body }) => ({
  kind: 'pull_request',
  title: actorSentence(
    actor,
    `${verbFor(action)} ${numbered('merge request', pullRequest ?? { number: null, title: null })}`,
  ),
  url: pullRequest?.url ?? null,
  ref: pullRequest?.source ?? null,
  commitSha: lineAt(body, 'object_attributes.last_commit.id'),
  occurredAt: instantAt(body, ...times),
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

const note: DescribeEvent = (event) => ({
  kind: 'comment',
  title: actorSentence(
    event.actor,
    `${event.action === 'update' ? 'edited a comment on' : 'commented on'} ${noteTarget(event)}`,
  ),
  url: linkAt(event.body, 'object_attributes.url'),
  commitSha: lineAt(event.body, 'commit.id'),
  occurredAt: instantAt(event.body, ...times),
})

const pipeline: DescribeEvent = ({ actor, body, pullRequest }) => ({
  kind: 'build',
  title: eventSentence({
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
  occurredAt: instantAt(body, 'object_attributes.finished_at', ...times),
})

const job: DescribeEvent = ({ actor, body }) => ({
  kind: 'build',
  title: eventSentence({
    thing: `job ${lineAt(body, 'build_status') ?? 'changed'}`,
    action: null,
    actor,
    subject: [lineAt(body, 'build_stage'), lineAt(body, 'build_name')].filter(Boolean).join(' / '),
  }),
  ref: lineAt(body, 'ref'),
  commitSha: lineAt(body, 'sha'),
  occurredAt: instantAt(body, 'build_finished_at', 'build_started_at', 'build_created_at'),
})

const deployment: DescribeEvent = ({ actor, body }) => ({
  kind: 'deployment',
  title: eventSentence({
    thing: `deployment ${lineAt(body, 'status') ?? 'changed'}`,
    action: null,
    actor,
    subject: lineAt(body, 'environment'),
  }),
  url: linkAt(body, 'deployable_url', 'commit_url'),
  ref: lineAt(body, 'ref'),
  commitSha: lineAt(body, 'short_sha'),
  occurredAt: instantAt(body, 'status_changed_at'),
})

const release: DescribeEvent = ({ action, actor, body }) => ({
  kind: 'release',
  title: eventSentence({ thing: 'release', action, actor, subject: lineAt(body, 'name', 'tag') }),
  url: linkAt(body, 'url'),
  ref: lineAt(body, 'tag'),
  occurredAt: instantAt(body, 'released_at', 'created_at'),
})

/** Milestones, wiki pages, feature flags, emoji, members, system hooks: one generic wording with the body's name. */
const anyOther: DescribeEvent = ({ event, kind, action, actor, body }) => {
  const attributes = recordAt(body, 'object_attributes')
  return {
    kind: 'other',
    title: eventSentence({
      thing: kind ?? event,
      action: action ?? lineAt(attributes, 'state'),
      actor,
      subject: lineAt(attributes, 'title', 'name') ?? lineAt(body, 'name', 'group_name', 'project_name'),
    }),
    url: linkAt(attributes, 'url', 'awarded_on_url'),
    occurredAt: instantAt(body, ...times),
  }
}

const describers = new Map<string, DescribeEvent>([
  ['issue', issue],
  ['work_item', issue],
  ['merge_request', mergeRequest],
  ['note', note],
  ['pipeline', pipeline],
  ['build', job],
  ['deployment', deployment],
  ['release', release],
])

export const gitlabActivityText: DescribeEvent = (event) => (describers.get(event.kind ?? '') ?? anyOther)(event)
