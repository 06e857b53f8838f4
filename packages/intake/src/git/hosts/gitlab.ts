import { decodeJson, requireRecord } from '../../sanitize/decode.ts'
import { type DeliveryHeaders, findHeader } from '../../sanitize/headers.ts'
import {
  addressAt,
  countAt,
  identifierAt,
  isTrueAt,
  type JsonRecord,
  lineAt,
  linkAt,
  proseAt,
  recordAt,
} from '../../sanitize/json-path.ts'
import { oneLine } from '../../sanitize/sanitize-text.ts'
import { matchesToken } from '../../sanitize/signature.ts'
import type { GitActor, GitDelivery, GitRepository, IssueFacts, OpenedIssue, PullRequestFacts } from '../activity.ts'
import { deliveryIdFrom } from '../delivery-id.ts'
import { openedIssue, toRepositoryKey } from '../opened-issue.ts'
import { pushActivities, pushFacts } from '../push.ts'
import { hasStandardSignature } from '../standard-webhook-signature.ts'
import { anySecret, type Verification } from '../verification.ts'
import { gitlabActivityText } from './gitlab-activity-text.ts'
import { gitlabPush } from './gitlab-push.ts'
import { activityFrom, type GitHost } from './host.ts'

const eventHeader = 'X-Gitlab-Event'

const eventOf = (headers: DeliveryHeaders) => oneLine(findHeader(headers, eventHeader) ?? '') || 'unknown'

/**
 * Two UUID headers do not identify a delivery: `X-Gitlab-Webhook-UUID` is random for every request, and
 * `X-Gitlab-Event-UUID` changes on a retry and is shared by different events. With a signature, `webhook-id` is
 * read first, because it has the same value and the signature covers it.
 */
const deliveryId = (headers: DeliveryHeaders, body: Uint8Array) => {
  const isSigned = findHeader(headers, 'webhook-signature') !== null
  const names = isSigned ? ['webhook-id', 'Idempotency-Key'] : ['Idempotency-Key', 'webhook-id']
  return deliveryIdFrom(names, { headers, body, event: eventOf(headers) })
}

/** If there is a signature, only it decides, because a token can be read in transit. */
const verify = ({ headers, body, secrets, nowMs }: Verification): boolean => {
  const signatures = findHeader(headers, 'webhook-signature')
  if (signatures === null)
    return anySecret(secrets, (secret) => matchesToken(findHeader(headers, 'X-Gitlab-Token'), secret))
  const [id, timestamp] = [findHeader(headers, 'webhook-id'), findHeader(headers, 'webhook-timestamp')]
  return anySecret(secrets, (secret) => hasStandardSignature({ id, timestamp, signatures, secret, body, nowMs }))
}

/** Group epics have `project: null`; members, subgroups, and vulnerabilities have no project field. */
const toRepository = (body: JsonRecord): GitRepository | null => {
  const name = lineAt(
    body,
    'project.path_with_namespace',
    'path_with_namespace',
    'project_path_with_namespace',
    'object_attributes.target.path_with_namespace',
    'project.name',
    'project_name',
    'repository.name',
  )
  return name === null
    ? null
    : { name, url: linkAt(body, 'project.web_url', 'project.homepage', 'repository.homepage') }
}

const toActor = (body: JsonRecord): GitActor | null => {
  const name = lineAt(body, 'user.username', 'user.name', 'user_username', 'user_name', 'username')
  return name === null ? null : { name, url: null, email: addressAt(body, 'user.email', 'user_email') }
}

const kindOf = (body: JsonRecord) => lineAt(body, 'object_kind', 'event_name')

const issueKinds = new Set(['issue', 'work_item'])

const toIssue = (body: JsonRecord): IssueFacts | null => {
  const kind = kindOf(body)
  const issue = recordAt(body, issueKinds.has(kind ?? '') ? 'object_attributes' : 'issue')
  if (issue === null) return null
  return {
    number: countAt(issue, 'iid'),
    title: lineAt(issue, 'title'),
    url: linkAt(issue, 'url'),
    isPullRequest: false,
    confidential: isTrueAt(issue, 'confidential') || /^confidential_/.test(lineAt(body, 'event_type') ?? ''),
    type: lineAt(issue, 'type'),
  }
}

const toPullRequest = (body: JsonRecord): PullRequestFacts | null => {
  const kind = kindOf(body)
  if (kind !== 'merge_request' && kind !== 'note' && kind !== 'pipeline') return null
  const merge = recordAt(body, kind === 'merge_request' ? 'object_attributes' : 'merge_request')
  if (merge === null) return null
  const state = lineAt(merge, 'state')
  return {
    number: countAt(merge, 'iid'),
    title: lineAt(merge, 'title'),
    url: linkAt(merge, 'url'),
    state,
    merged: state === null ? null : state === 'merged',
    source: lineAt(merge, 'source_branch'),
    target: lineAt(merge, 'target_branch'),
  }
}

type EventFacts = Pick<GitDelivery, 'event' | 'action' | 'issue' | 'repository' | 'actor'> & {
  readonly body: JsonRecord
}

/**
 * Tasks, incidents and epics come under `Issue Hook` too, as `work_item`. An epic counts its numbers per group, where
 * they meet those of issues; `id` is unique on the whole server, so it is the key and `iid` only what people see.
 */
const issueOpenedBy = ({ event, action, issue, repository, actor, body }: EventFacts): OpenedIssue | null => {
  const isIssueHook = /^(?:confidential )?issue hook$/i.test(event) && issueKinds.has(kindOf(body) ?? 'issue')
  if (!isIssueHook || action !== 'open') return null
  const opened = issue ?? { number: null, title: null, url: null, confidential: false }
  const projectId = identifierAt(body, 'project.id', 'object_attributes.project_id') ?? 'group'
  return openedIssue({
    repositoryKey: toRepositoryKey({ id: projectId, repository, issueUrl: opened.url, usualHost: 'gitlab.com' }),
    issueKey: identifierAt(body, 'object_attributes.id') ?? `iid-${opened.number}`,
    number: opened.number,
    title: opened.title,
    url: opened.url,
    body: proseAt(body, 'object_attributes.description'),
    author: actor?.name ?? null,
    confidential: opened.confidential || /^confidential/i.test(event),
  })
}

const pushKinds = new Set(['push', 'tag_push'])

const readEvent = (headers: DeliveryHeaders, bytes: Uint8Array): GitDelivery => {
  const body = requireRecord(decodeJson(bytes, findHeader(headers, 'Content-Type')))
  const event = eventOf(headers)
  const action = lineAt(body, 'object_attributes.action', 'action')
  const [actor, repository, objectKind] = [toActor(body), toRepository(body), kindOf(body)]
  const [issue, pullRequest] = [toIssue(body), toPullRequest(body)]
  const refs = pushKinds.has(objectKind ?? '') ? gitlabPush(body) : null
  const story = () => gitlabActivityText({ event, kind: objectKind, action, actor, body, issue, pullRequest })
  return {
    host: 'gitlab',
    event,
    objectKind,
    action,
    deliveryId: deliveryId(headers, bytes),
    isPing: false,
    repository,
    actor,
    issue,
    pullRequest,
    push: refs === null ? null : pushFacts(refs),
    activities:
      refs === null ? [activityFrom(story(), { actor, repository })] : pushActivities({ actor, repository, refs }),
    issueOpened: issueOpenedBy({ event, action, issue, repository, actor, body }),
  }
}

export const gitlab: GitHost = { key: 'gitlab', eventHeaders: [eventHeader], readEvent, deliveryId, verify }
