import { decodeJson, requireRecord } from '../../sanitize/decode.ts'
import { type DeliveryHeaders, findHeader } from '../../sanitize/headers.ts'
import {
  addressAt,
  countAt,
  identifierAt,
  type JsonRecord,
  lineAt,
  linkAt,
  listAt,
  proseAt,
  recordAt,
} from '../../sanitize/json-path.ts'
import { oneLine } from '../../sanitize/sanitize-text.ts'
import { hasHubSignature } from '../../sanitize/signature.ts'
import type { GitActor, GitDelivery, GitRepository, IssueFacts, OpenedIssue, PullRequestFacts } from '../activity.ts'
import { deliveryIdFrom } from '../delivery-id.ts'
import { openedIssue, toRepositoryKey } from '../opened-issue.ts'
import { pushActivities, pushFacts } from '../push.ts'
import { anySecret } from '../verification.ts'
import { bitbucketActivityText } from './bitbucket-activity-text.ts'
import { bitbucketPush } from './bitbucket-push.ts'
import { activityFrom, type GitHost } from './host.ts'

const eventHeader = 'X-Event-Key'

const eventOf = (headers: DeliveryHeaders) => oneLine(findHeader(headers, eventHeader) ?? '') || 'unknown'

/** `X-Request-UUID` stays the same over the three attempts; `X-Hook-UUID` names the hook, not the delivery. */
const deliveryId = (headers: DeliveryHeaders, body: Uint8Array) =>
  deliveryIdFrom(['X-Request-UUID'], { headers, body, event: eventOf(headers) })

/** Cloud has one page under `html`; Data Center a list of addresses under `self`. */
const pageOf = (thing: JsonRecord | null) =>
  linkAt(thing, 'links.html.href') ?? linkAt(listAt(thing, 'links.self')[0], 'href')

/** Cloud names a repository `workspace/slug`; Data Center gives the project's key and the slug apart. */
const repositoryName = (repository: JsonRecord) => {
  const [key, slug] = [lineAt(repository, 'project.key'), lineAt(repository, 'slug', 'name')]
  return lineAt(repository, 'full_name', 'fullName') ?? (key !== null && slug !== null ? `${key}/${slug}` : slug)
}

const toRepository = (body: JsonRecord): GitRepository | null => {
  const repository = recordAt(
    body,
    'repository',
    'pullRequest.toRef.repository',
    'pullrequest.destination.repository',
    // Data Center's repo:modified has only the old and the new version of it.
    'new',
  )
  const name = repository === null ? null : repositoryName(repository)
  return name === null ? null : { name, url: pageOf(repository) }
}

/** Cloud dropped `username` for people in 2019; teams and old bodies still have it. Data Center writes camel case. */
const toActor = (body: JsonRecord): GitActor | null => {
  const name = lineAt(
    body,
    'actor.display_name',
    'actor.displayName',
    'actor.nickname',
    'actor.username',
    'actor.name',
    'actor.slug',
    'actor.uuid',
  )
  return name === null
    ? null
    : { name, url: linkAt(body, 'actor.links.html.href'), email: addressAt(body, 'actor.emailAddress') }
}

const toIssue = (body: JsonRecord): IssueFacts | null => {
  const issue = recordAt(body, 'issue')
  if (issue === null) return null
  return {
    number: countAt(issue, 'id'),
    title: lineAt(issue, 'title'),
    url: linkAt(issue, 'links.html.href'),
    isPullRequest: false,
    confidential: false,
    type: null,
  }
}

const toPullRequest = (body: JsonRecord): PullRequestFacts | null => {
  const pull = recordAt(body, 'pullrequest', 'pullRequest')
  if (pull === null) return null
  const state = lineAt(pull, 'state')
  return {
    number: countAt(pull, 'id'),
    title: lineAt(pull, 'title'),
    url: pageOf(pull),
    state,
    merged: state === null ? null : state === 'MERGED',
    source: lineAt(pull, 'source.branch.name', 'fromRef.displayId'),
    target: lineAt(pull, 'destination.branch.name', 'toRef.displayId'),
  }
}

type EventFacts = Pick<GitDelivery, 'event' | 'issue' | 'repository' | 'actor'> & { readonly body: JsonRecord }

const issueOpenedBy = ({ event, issue, repository, actor, body }: EventFacts): OpenedIssue | null => {
  if (event !== 'issue:created' || issue === null) return null
  const id = identifierAt(body, 'repository.uuid')
  return openedIssue({
    repositoryKey: toRepositoryKey({ id, repository, issueUrl: issue.url, usualHost: 'bitbucket.org' }),
    issueKey: String(issue.number),
    number: issue.number,
    title: issue.title,
    url: issue.url,
    body: proseAt(body, 'issue.content.raw'),
    author: lineAt(body, 'issue.reporter.display_name', 'issue.reporter.nickname') ?? actor?.name ?? null,
    confidential: false,
  })
}

const readEvent = (headers: DeliveryHeaders, bytes: Uint8Array): GitDelivery => {
  const body = requireRecord(decodeJson(bytes, findHeader(headers, 'Content-Type')))
  const event = eventOf(headers)
  const action = event.includes(':') ? event.slice(event.lastIndexOf(':') + 1) : null
  const [actor, repository] = [toActor(body), toRepository(body)]
  const [issue, pullRequest] = [toIssue(body), toPullRequest(body)]
  const refs = event === 'repo:push' ? bitbucketPush(body) : null
  const story = () => bitbucketActivityText({ event, action, actor, body, issue, pullRequest })
  return {
    host: 'bitbucket',
    event,
    objectKind: null,
    action,
    deliveryId: deliveryId(headers, bytes),
    isPing: event === 'diagnostics:ping',
    repository,
    actor,
    issue,
    pullRequest,
    push: refs === null ? null : pushFacts(refs),
    activities:
      refs === null ? [activityFrom(story(), { actor, repository })] : pushActivities({ actor, repository, refs }),
    issueOpened: issueOpenedBy({ event, issue, repository, actor, body }),
  }
}

export const bitbucket: GitHost = {
  key: 'bitbucket',
  eventHeaders: [eventHeader],
  readEvent,
  deliveryId,
  verify: ({ headers, body, secrets }) =>
    anySecret(secrets, (secret) => hasHubSignature({ header: findHeader(headers, 'X-Hub-Signature'), secret, body })),
}
