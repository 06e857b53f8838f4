import { decodeJson, decodeText, parseJson, requireRecord } from '../../sanitize/decode.ts'
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
  valueAt,
} from '../../sanitize/json-path.ts'
import { oneLine } from '../../sanitize/sanitize-text.ts'
import { hasHubSignature } from '../../sanitize/signature.ts'
import type { GitActor, GitDelivery, GitRepository, IssueFacts, OpenedIssue, PullRequestFacts } from '../activity.ts'
import { deliveryIdFrom } from '../delivery-id.ts'
import { openedIssue, toRepositoryKey } from '../opened-issue.ts'
import { pushActivities, pushFacts } from '../push.ts'
import { anySecret } from '../verification.ts'
import { githubActivityText } from './github-activity-text.ts'
import { githubPush } from './github-push.ts'
import { activityFrom, type GitHost } from './host.ts'

const eventHeader = 'X-GitHub-Event'

// Gogs sends GitHub's webhook format under its own header names; Gitea and Forgejo send both.
const gogsEventHeader = 'X-Gogs-Event'

const eventOf = (headers: DeliveryHeaders) =>
  oneLine(findHeader(headers, eventHeader) ?? '') || oneLine(findHeader(headers, gogsEventHeader) ?? '') || 'unknown'

const deliveryId = (headers: DeliveryHeaders, body: Uint8Array) =>
  deliveryIdFrom(['X-GitHub-Delivery', 'X-Gogs-Delivery'], { headers, body, event: eventOf(headers) })

/** Gogs sends only the digest. If both headers are present, GitHub's decides. */
const signatureOf = (headers: DeliveryHeaders): string | null => {
  const signature = findHeader(headers, 'X-Hub-Signature-256')
  if (signature !== null) return signature
  const digest = findHeader(headers, 'X-Gogs-Signature')
  return digest === null ? null : `sha256=${digest}`
}

/** A form hook sends the JSON in the field `payload`. Its signature covers the form, not the JSON. */
const isForm = (type: string | null, body: Uint8Array) =>
  /^application\/x-www-form-urlencoded\b/i.test(type ?? '') || decodeText(body.subarray(0, 8)) === 'payload='

const parseBody = (headers: DeliveryHeaders, body: Uint8Array): JsonRecord => {
  const type = findHeader(headers, 'Content-Type')
  if (!isForm(type, body)) return requireRecord(decodeJson(body, type))
  return requireRecord(parseJson(new URLSearchParams(decodeText(body)).get('payload') ?? ''))
}

// Some events name the repository by owner and short name only.
const repositoryName = (repository: JsonRecord) => {
  const owner = lineAt(repository, 'owner.login', 'owner.name')
  const name = lineAt(repository, 'name')
  return lineAt(repository, 'full_name') ?? (owner !== null && name !== null ? `${owner}/${name}` : name)
}

const toRepository = (body: JsonRecord): GitRepository | null => {
  const repository = recordAt(body, 'repository')
  const name = repository === null ? null : repositoryName(repository)
  return name === null ? null : { name, url: linkAt(repository, 'html_url', 'url') }
}

const toActor = (body: JsonRecord): GitActor | null => {
  const name = lineAt(body, 'sender.login', 'pusher.name', 'sender.name')
  if (name === null) return null
  const email = lineAt(body, 'pusher.name') === name ? addressAt(body, 'pusher.email') : null
  return { name, url: linkAt(body, 'sender.html_url'), email }
}

const toIssue = (body: JsonRecord): IssueFacts | null => {
  const issue = recordAt(body, 'issue')
  if (issue === null) return null
  return {
    number: countAt(issue, 'number'),
    title: lineAt(issue, 'title'),
    url: linkAt(issue, 'html_url'),
    // GitHub treats every pull request as an issue; only this key distinguishes them.
    isPullRequest: recordAt(issue, 'pull_request') !== null,
    confidential: false,
    type: lineAt(issue, 'type.name'),
  }
}

const toPullRequest = (body: JsonRecord): PullRequestFacts | null => {
  const pull = recordAt(body, 'pull_request')
  if (pull === null) return null
  const merged = valueAt(pull, 'merged')
  return {
    number: countAt(pull, 'number') ?? countAt(body, 'number'),
    title: lineAt(pull, 'title'),
    url: linkAt(pull, 'html_url'),
    state: lineAt(pull, 'state'),
    merged: typeof merged === 'boolean' ? merged : null,
    source: lineAt(pull, 'head.ref'),
    target: lineAt(pull, 'base.ref'),
  }
}

type EventFacts = Pick<GitDelivery, 'event' | 'action' | 'issue' | 'repository' | 'actor'> & {
  readonly body: JsonRecord
}

/** After a transfer, the old repository sends `transferred` and the new one `opened`, with a new number. */
const issueOpenedBy = ({ event, action, issue, repository, actor, body }: EventFacts): OpenedIssue | null => {
  if (event !== 'issues' || action !== 'opened' || issue === null || issue.isPullRequest) return null
  const id = identifierAt(body, 'repository.id')
  return openedIssue({
    repositoryKey: toRepositoryKey({ id, repository, issueUrl: issue.url, usualHost: 'github.com' }),
    issueKey: String(issue.number),
    number: issue.number,
    title: issue.title,
    url: issue.url,
    body: proseAt(body, 'issue.body'),
    author: lineAt(body, 'issue.user.login') ?? actor?.name ?? null,
    confidential: false,
  })
}

const readEvent = (headers: DeliveryHeaders, bytes: Uint8Array): GitDelivery => {
  const body = parseBody(headers, bytes)
  const [event, action] = [eventOf(headers), lineAt(body, 'action')]
  const [actor, repository] = [toActor(body), toRepository(body)]
  const [issue, pullRequest] = [toIssue(body), toPullRequest(body)]
  const refs = event === 'push' ? githubPush(body, listAt(body, 'commits')) : null
  const story = () => githubActivityText({ event, action, actor, body, issue, pullRequest })
  return {
    host: 'github',
    event,
    objectKind: null,
    action,
    deliveryId: deliveryId(headers, bytes),
    isPing: event === 'ping',
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

export const github: GitHost = {
  key: 'github',
  eventHeaders: [eventHeader, gogsEventHeader],
  readEvent,
  deliveryId,
  // Every signed delivery also has the older `X-Hub-Signature` (SHA-1), which is ignored.
  verify: ({ headers, body, secrets }) =>
    anySecret(secrets, (secret) => hasHubSignature({ header: signatureOf(headers), secret, body })),
}
