import { instantAt, type JsonRecord, lineAt, linkAt, listAt } from '../../sanitize/json-path.ts'
import type { GitActor, IssueFacts, PullRequestFacts } from '../activity.ts'
import { actorSentence, eventSentence, inWords, numbered, verbFor } from '../activity-text.ts'
import type { ActivityText } from './host.ts'

type BitbucketEvent = {
  readonly event: string
  readonly action: string | null
  readonly actor: GitActor | null
  readonly body: JsonRecord
  readonly issue: IssueFacts | null
  readonly pullRequest: PullRequestFacts | null
}

type DescribeEvent = (event: BitbucketEvent) => ActivityText

const nameless = { number: null, title: null }

const commentWords = new Map<string | null, string>([
  ['comment_created', 'commented on'],
  ['comment_updated', 'edited a comment on'],
  ['comment_deleted', 'deleted a comment on'],
  ['comment_resolved', 'resolved a comment on'],
  ['comment_reopened', 'reopened a comment on'],
  ['added', 'commented on'],
  ['edited', 'edited a comment on'],
  ['deleted', 'deleted a comment on'],
])

const commentTarget = ({ body, issue, pullRequest }: BitbucketEvent) => {
  if (pullRequest !== null) return numbered('pull request', pullRequest)
  if (issue !== null) return numbered('issue', issue)
  return `commit ${lineAt(body, 'commit.hash', 'commit')?.slice(0, 8) ?? ''}`
}

const comment: DescribeEvent = (event) => ({
  kind: 'comment',
  title: actorSentence(event.actor, `${commentWords.get(event.action) ?? 'commented on'} ${commentTarget(event)}`),
  url: linkAt(event.body, 'comment.links.html.href'),
  commitSha: lineAt(event.body, 'commit.hash'),
  occurredAt: instantAt(event.body, 'comment.updated_on', 'comment.created_on', 'date'),
})

const pullRequestText: DescribeEvent = ({ action, actor, body, pullRequest }) => ({
  kind: 'pull_request',
  // Cloud reports "created" for a pull request; "opened" is the usual word.
  title: actorSentence(
    actor,
    `${action === 'created' ? 'opened' : verbFor(action)} ${numbered('pull request', pullRequest ?? nameless)}`,
  ),
  url: pullRequest?.url ?? null,
  ref: pullRequest?.source ?? null,
  commitSha: lineAt(body, 'pullrequest.source.commit.hash', 'pullRequest.fromRef.latestCommit'),
  occurredAt: instantAt(body, 'pullrequest.updated_on', 'pullrequest.created_on', 'date'),
})

const issueText: DescribeEvent = ({ action, actor, body, issue }) => ({
  kind: 'issue',
  title: actorSentence(
    actor,
    `${action === 'created' ? 'opened' : verbFor(action)} ${numbered('issue', issue ?? nameless)}`,
  ),
  url: issue?.url ?? null,
  occurredAt: instantAt(body, 'issue.updated_on', 'issue.created_on'),
})

const commitStatus: DescribeEvent = ({ actor, body }) => ({
  kind: 'build',
  title: eventSentence({
    thing: `build ${(lineAt(body, 'commit_status.state') ?? 'changed').toLowerCase()}`,
    action: null,
    actor,
    subject: lineAt(body, 'commit_status.name', 'commit_status.key'),
  }),
  url: linkAt(body, 'commit_status.url'),
  ref: lineAt(body, 'commit_status.refname'),
  commitSha: lineAt(body, 'commit_status.commit.hash'),
  occurredAt: instantAt(body, 'commit_status.updated_on', 'commit_status.created_on'),
})

const changeWords = new Map([
  ['ADD', 'created'],
  ['DELETE', 'deleted'],
])

/** Data Center's push: ref changes without commits become one activity that names the first change. */
const refsChanged: DescribeEvent = ({ actor, body }) => {
  const changes = listAt(body, 'changes')
  const type = (lineAt(changes[0], 'ref.type') ?? 'ref').toLowerCase()
  const name = lineAt(changes[0], 'ref.displayId', 'refId') ?? 'an unnamed ref'
  const route = changeWords.get(lineAt(changes[0], 'type') ?? '') ?? 'pushed to'
  const more = changes.length > 1 ? ` and ${changes.length - 1} more` : ''
  const after = lineAt(changes[0], 'toHash')
  return {
    kind: 'push',
    title: actorSentence(actor, `${route} ${type} ${name}${more}`),
    ref: lineAt(changes[0], 'ref.id', 'refId'),
    commitSha: after === null || /^0+$/.test(after) ? null : after,
    occurredAt: instantAt(body, 'date'),
  }
}

const ping: DescribeEvent = () => ({ kind: 'ping', title: 'Bitbucket checked the webhook' })

const anyOther: DescribeEvent = ({ event, actor, body }) => ({
  kind: 'other',
  title: eventSentence({ thing: inWords(event), action: null, actor }),
  url: linkAt(body, 'fork.links.html.href'),
  occurredAt: instantAt(body, 'date'),
})

const describerFor = (event: string): DescribeEvent => {
  if (event === 'diagnostics:ping') return ping
  if (/:comment[_:]|:commit_comment_/.test(event)) return comment
  if (/^repo:commit_status_/.test(event)) return commitStatus
  if (/^(?:pullrequest|pr):/.test(event)) return pullRequestText
  if (/^issue:/.test(event)) return issueText
  return event === 'repo:refs_changed' ? refsChanged : anyOther
}

/** One sentence for any event except a Cloud push. Data Center's events get the same wording. */
export const bitbucketActivityText: DescribeEvent = (event) => describerFor(event.event)(event)
