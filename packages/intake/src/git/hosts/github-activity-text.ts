import { instantAt, type JsonRecord, lineAt, linkAt, listAt, proseAt, recordAt } from '../../sanitize/json-path.ts'
import { firstLineOf } from '../../sanitize/sanitize-text.ts'
import type { GitActor, IssueFacts, PullRequestFacts } from '../activity.ts'
import { actorSentence, eventSentence, inWords, numbered, verbFor } from '../activity-text.ts'
import type { ActivityText } from './host.ts'

type GitHubEvent = {
  readonly event: string
  readonly action: string | null
  readonly actor: GitActor | null
  readonly body: JsonRecord
  readonly issue: IssueFacts | null
  readonly pullRequest: PullRequestFacts | null
}

type DescribeEvent = (event: GitHubEvent) => ActivityText

const issueName = (issue: IssueFacts | null) =>
  numbered(issue?.isPullRequest ? 'pull request' : 'issue', issue ?? { number: null, title: null })

const pullName = (pull: PullRequestFacts | null) => numbered('pull request', pull ?? { number: null, title: null })

const issues: DescribeEvent = ({ action, actor, issue, body }) => ({
  kind: 'issue',
  title: actorSentence(actor, `${verbFor(action)} ${issueName(issue)}`),
  url: issue?.url ?? null,
  occurredAt: instantAt(body, action === 'opened' ? 'issue.created_at' : 'issue.updated_at', 'issue.created_at'),
})

const pullRequest: DescribeEvent = ({ action, actor, pullRequest: pull, body }) => ({
  kind: 'pull_request',
  // GitHub reports a merge as `closed` with a flag.
  title: actorSentence(actor, `${action === 'closed' && pull?.merged ? 'merged' : verbFor(action)} ${pullName(pull)}`),
  url: pull?.url ?? null,
  ref: pull?.source ?? null,
  commitSha: lineAt(body, 'pull_request.head.sha'),
  occurredAt: instantAt(body, 'pull_request.updated_at', 'pull_request.created_at'),
})

const commentVerb = (action: string | null) =>
  action === 'created' || action === null ? 'commented on' : `${verbFor(action)} a comment on`

const commentOn =
  (target: (event: GitHubEvent) => string): DescribeEvent =>
  (event) => ({
    kind: 'comment',
    title: actorSentence(event.actor, `${commentVerb(event.action)} ${target(event)}`),
    url: linkAt(event.body, 'comment.html_url'),
    commitSha: lineAt(event.body, 'comment.commit_id'),
    occurredAt: instantAt(event.body, 'comment.updated_at', 'comment.created_at'),
  })

const reviewVerb = (action: string | null, state: string | null) => {
  if (action !== 'submitted') return `${verbFor(action)} a review of`
  return state === 'approved' ? 'approved' : 'reviewed'
}

const review: DescribeEvent = ({ action, actor, body, pullRequest: pull }) => ({
  kind: 'pull_request',
  title: actorSentence(actor, `${reviewVerb(action, lineAt(body, 'review.state'))} ${pullName(pull)}`),
  url: linkAt(body, 'review.html_url') ?? pull?.url ?? null,
  ref: pull?.source ?? null,
  commitSha: lineAt(body, 'review.commit_id'),
  occurredAt: instantAt(body, 'review.submitted_at'),
})

const refText =
  (route: 'created' | 'deleted'): DescribeEvent =>
  ({ actor, body }) => {
    const type = lineAt(body, 'ref_type') ?? 'ref'
    const ref = lineAt(body, 'ref')
    // GitHub reports a new repository as `create` without a ref.
    const title = actorSentence(actor, `${route} ${[type, ref].filter(Boolean).join(' ')}`)
    return { kind: type === 'branch' || type === 'tag' ? type : 'other', title, ref }
  }

const release: DescribeEvent = ({ action, actor, body }) => ({
  kind: 'release',
  title: actorSentence(actor, `${verbFor(action)} release ${lineAt(body, 'release.name', 'release.tag_name') ?? ''}`),
  url: linkAt(body, 'release.html_url'),
  ref: lineAt(body, 'release.tag_name'),
  occurredAt: instantAt(body, 'release.published_at', 'release.created_at'),
})

const fork: DescribeEvent = ({ actor, body }) => ({
  kind: 'other',
  title: actorSentence(
    actor,
    `forked the repository to ${lineAt(body, 'forkee.full_name', 'forkee.name') ?? 'another account'}`,
  ),
  url: linkAt(body, 'forkee.html_url'),
  occurredAt: instantAt(body, 'forkee.created_at'),
})

const star: DescribeEvent = ({ action, actor, body }) => ({
  kind: 'other',
  title: actorSentence(actor, action === 'deleted' ? 'removed the star from the repository' : 'starred the repository'),
  occurredAt: instantAt(body, 'starred_at'),
})

const publicRepository: DescribeEvent = ({ actor }) => ({
  kind: 'other',
  title: actorSentence(actor, 'made the repository public'),
})

const gollum: DescribeEvent = ({ actor, body }) => {
  const [page] = listAt(body, 'pages')
  const name = lineAt(page, 'title', 'page_name') ?? 'the wiki'
  return {
    kind: 'other',
    title: actorSentence(actor, `${verbFor(lineAt(page, 'action'))} wiki page ${name}`),
    url: linkAt(page, 'html_url'),
  }
}

const status: DescribeEvent = ({ body, actor }) => ({
  kind: 'build',
  title: eventSentence({
    thing: `status ${lineAt(body, 'state') ?? 'changed'}`,
    action: null,
    actor,
    subject: [lineAt(body, 'context'), lineAt(body, 'description')].filter(Boolean).join(' – '),
  }),
  url: linkAt(body, 'target_url', 'commit.html_url'),
  commitSha: lineAt(body, 'sha'),
  occurredAt: instantAt(body, 'updated_at', 'created_at'),
})

const ping: DescribeEvent = ({ body }) => ({
  kind: 'ping',
  title: `GitHub checked the webhook${lineAt(body, 'zen') === null ? '' : `: ${lineAt(body, 'zen')}`}`,
})

const deploymentStatus: DescribeEvent = ({ body, actor }) => ({
  kind: 'deployment',
  title: eventSentence({
    thing: `deployment ${lineAt(body, 'deployment_status.state') ?? 'requested'}`,
    action: null,
    actor,
    subject: lineAt(body, 'deployment_status.environment', 'deployment.environment'),
  }),
  url: linkAt(body, 'deployment_status.target_url', 'deployment_status.log_url'),
  ref: lineAt(body, 'deployment.ref'),
  commitSha: lineAt(body, 'deployment.sha'),
  occurredAt: instantAt(body, 'deployment_status.created_at', 'deployment.created_at'),
})

const buildEvents = /^(?:check_run|check_suite|workflow_job|workflow_run)$/

/** Most events carry one object named after themselves, with a name or title, a page and times. */
const anyOther: DescribeEvent = ({ event, action, actor, body }) => {
  const subject = recordAt(body, event, 'alert', 'rule', 'rule_suite')
  return {
    kind: buildEvents.test(event) ? 'build' : 'other',
    title: eventSentence({
      thing: inWords(event),
      action,
      actor,
      subject: lineAt(subject, 'title', 'name', 'summary', 'description', 'conclusion'),
    }),
    url: linkAt(subject, 'html_url'),
    ref: lineAt(subject, 'head_branch', 'head_ref'),
    commitSha: lineAt(subject, 'head_sha'),
    occurredAt: instantAt(subject, 'updated_at', 'created_at'),
  }
}

const describers = new Map<string, DescribeEvent>([
  ['issues', issues],
  ['issue_comment', commentOn(({ issue }) => issueName(issue))],
  ['pull_request', pullRequest],
  ['pull_request_target', pullRequest],
  ['pull_request_review', review],
  ['pull_request_review_comment', commentOn(({ pullRequest: pull }) => pullName(pull))],
  ['commit_comment', commentOn(({ body }) => `commit ${lineAt(body, 'comment.commit_id')?.slice(0, 8) ?? ''}`)],
  ['discussion_comment', commentOn(({ body }) => `discussion ${firstLineOf(proseAt(body, 'discussion.title')) ?? ''}`)],
  ['create', refText('created')],
  ['delete', refText('deleted')],
  ['release', release],
  ['fork', fork],
  ['star', star],
  ['watch', star],
  ['public', publicRepository],
  ['gollum', gollum],
  ['status', status],
  ['ping', ping],
  ['deployment', deploymentStatus],
  ['deployment_status', deploymentStatus],
])

/** One sentence for any event except a push. Unknown events get a generic one. */
export const githubActivityText: DescribeEvent = (event) => (describers.get(event.event) ?? anyOther)(event)
