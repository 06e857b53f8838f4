import { requireBaseUrl } from '../../packages/client/src/base-url.ts'
import { toErrorReport } from '../../packages/client/src/capture/to-error-report.ts'
import { networkError } from '../../packages/client/src/network-error.ts'
import { quote, redact, secretsIn } from '../../packages/client/src/redact.ts'
import { readWait } from '../../packages/client/src/retry-after.ts'
import { isEmailAddress } from '../../packages/contract/src/email-address.ts'
import { fingerprint } from '../../packages/intake/src/errors/fingerprint.ts'
import { readTitle } from '../../packages/intake/src/errors/guess/title.ts'
import { readLogText } from '../../packages/intake/src/errors/log-text.ts'
import { maskSecrets } from '../../packages/intake/src/errors/mask.ts'
import { maskText } from '../../packages/intake/src/errors/mask-text.ts'
import { normalizeMessage } from '../../packages/intake/src/errors/normalize-message.ts'
import { normalizePath } from '../../packages/intake/src/errors/normalize-path.ts'
import { readErrorReports } from '../../packages/intake/src/errors/read-error-reports.ts'
import { readStack } from '../../packages/intake/src/errors/stacks/index.ts'
import { stackHeader } from '../../packages/intake/src/errors/stacks/stack-reader.ts'
import { describeError, titleOf } from '../../packages/intake/src/errors/ticket-text.ts'
import { gitHosts } from '../../packages/intake/src/git/hosts/index.ts'
import { emailKey, phoneKey } from '../../packages/intake/src/leads/contact-key.ts'
import { readLeads } from '../../packages/intake/src/leads/read-leads.ts'
import { oneLine, prose, webLink } from '../../packages/intake/src/sanitize/sanitize-text.ts'
import { clientAddress } from '../../packages/server/src/core/addresses.ts'
import { parseTimestamp } from '../../packages/server/src/modules/hrms/attendance/punch-timestamp.ts'
import { readTags } from '../../packages/server/src/modules/tickets/tag-text.ts'
import { maskSecrets as maskJournal } from '../../packages/server/src/testing/journal/mask.ts'
import { findOperation } from '../../packages/server/src/testing/observed-request.ts'
import { readSignatureHeaders } from '../../packages/webhooks/src/signature-headers.ts'
import type { Read } from './measure.ts'

/** For bodies that contain the text in several fields: keeps the total length. */
const split =
  (fields: number, read: Read): Read =>
  (text) =>
    read(text.slice(0, Math.ceil(text.length / fields)))

/** Varies the text, because the reader caches the last stack. */
const fresh = (read: Read): Read => {
  let isOdd = false
  return (text) => {
    isOdd = !isOdd
    return read(isOdd ? `${text}\n` : text)
  }
}

const encoder = new TextEncoder()
const bytes = (value: unknown) => encoder.encode(typeof value === 'string' ? value : JSON.stringify(value))

/** All steps from the body to the ticket: reading, fingerprint, masking, and ticket text. */
const report = (body: unknown, contentType = 'application/json') => {
  const headers = new Headers({ 'content-type': contentType })
  for (const record of readErrorReports({ body: bytes(body), headers }))
    [fingerprint(record), maskSecrets(record), titleOf(record), describeError(record)]
}

const person = { login: 'ada', html_url: 'https://git.example/ada' }
const repository = { id: 1, full_name: 'octo/hello', html_url: 'https://git.example/octo/hello' }

const githubIssue = (text: string) =>
  gitHosts.github.readEvent(
    { 'x-github-event': 'issues' },
    bytes({
      action: 'opened',
      issue: { number: 1, title: text, body: text, html_url: text },
      repository,
      sender: person,
    }),
  )
const githubPush = (text: string) =>
  gitHosts.github.readEvent(
    { 'x-github-event': 'push' },
    bytes({
      ref: text,
      commits: [{ id: text, message: text, url: text, author: { name: text } }],
      pusher: { name: text, email: text },
    }),
  )
const gitlabPush = (text: string) =>
  gitHosts.gitlab.readEvent(
    { 'x-gitlab-event': 'Push Hook' },
    bytes({
      ref: text,
      user_name: text,
      user_email: text,
      commits: [{ id: text, message: text, url: text, author: { name: text } }],
    }),
  )
const bitbucketPush = (text: string) =>
  gitHosts.bitbucket.readEvent(
    { 'x-event-key': 'repo:push' },
    bytes({
      push: {
        changes: [{ new: { name: text, target: {} }, commits: [{ hash: text, message: text, author: { raw: text } }] }],
      },
    }),
  )

const lead = (body: unknown, contentType = 'application/json') =>
  readLeads({ source: 'website', headers: { 'content-type': contentType }, body: bytes(body) })

/** Removes characters that fetch does not allow in headers. */
const asHeader = (text: string) => text.replace(/[^\x20-\x7e]/g, ' ')

const addressOf = clientAddress(['10.0.0.0/8', '127.0.0.1'])
const broken = (stack: string) => Object.assign(new Error('broken'), { stack })
const call = {
  method: 'GET',
  route: '/',
  url: 'https://example.com/',
  settings: { clock: () => 0 },
  startedAt: 0,
  callerStack: () => '',
}

/** All functions that read untrusted text, by name. */
export const readers: Readonly<Record<string, Read>> = {
  'errors: a body': fresh((text) => report(text)),
  'errors: a form': (text) => report(`payload=${text}`, 'application/x-www-form-urlencoded'),
  'errors: message': fresh((text) => report({ message: text })),
  'errors: exception, file, url': split(4, (text) =>
    report({ exception: text, file: text, url: text, app_name: text }),
  ),
  'errors: stack': fresh((text) => report({ message: 'broken', stack: text })),
  'errors: any key': split(4, (text) => report({ error: text, trace: text, description: text, context: { a: text } })),
  'errors: an alert': split(5, (text) =>
    report({
      alerts: [{ status: text, labels: { alertname: text, a: text }, annotations: { summary: text }, startsAt: text }],
    }),
  ),
  'errors: a monitor': split(4, (text) =>
    report({ alert_transition: text, title: text, tags: text, body: text, alert_type: 'error' }),
  ),
  'errors: a topic': (text) => report({ Type: 'Notification', TopicArn: 'arn', Message: text }),
  'errors: a line in Loki': (text) => report({ streams: [{ stream: { app: 'shop' }, values: [['1', text]] }] }),
  'errors: XML': (text) => report(`<notice><error><class>A</class><message>${text}</message></error></notice>`),
  'errors: attributes in XML': (text) => report(`<notice><error><line file="${text}"`),
  'errors: unknown fields': split(2, (text) => report({ a: { b: text }, c: [text] })),
  'logs: a sentence': split(3, (text) => [
    readLogText(`PHP Fatal error:  ${text}`),
    readLogText(`[2026-11-20] a.ERROR: ${text}`),
    readLogText(`Uncaught PHP Exception A: "${text}`),
  ]),
  'logs: a printed line': split(8, (text) => [
    readLogText(`E0101 10:00:00.123456       1 ${text}`),
    readLogText(`<11>1 2026-01-01T10:00:00Z ${text}`),
    readLogText(`<11>Jan  1 10:00:00 ${text}`),
    readLogText(`CEF:0|${text}`),
    readLogText(`level=error msg="${text}`),
    readLogText(`2026-01-01 10:00:00,000 ERROR ${text}`),
    readLogText(`2026-01-01 10:00:00${text}`),
    readLogText(`fail: ${text}`),
  ]),
  'stacks: a text': fresh(readStack),
  'stacks: lines': fresh((text) => readStack(text.split('\n'))),
  'titles: title': readTitle,
  'titles: headline': stackHeader,
  'titles: message': normalizeMessage,
  'titles: path': normalizePath,
  'titles: one line, prose': (text) => [oneLine(text), prose(text)],
  'redaction: reports': maskText,
  'redaction: journal': (text) => maskJournal({ token: text, body: text }),
  'git: issue': split(3, githubIssue),
  'git: push of GitHub': split(7, githubPush),
  'git: push of GitLab': split(7, gitlabPush),
  'git: push of Bitbucket': split(4, bitbucketPush),
  'git: links': webLink,
  'leads: a body': (text) => lead(text),
  'leads: a form': split(2, (text) => lead(`email=${text}&message=${text}`, 'application/x-www-form-urlencoded')),
  'leads: a multipart form': (text) =>
    lead(`--X\r\nContent-Disposition: form-data; name="a"\r\n\r\n${text}\r\n--X--`, 'multipart/form-data; boundary=X'),
  'leads: headers of a multipart form': (text) =>
    lead(`--X\r\n${text}\r\n\r\na\r\n--X--`, 'multipart/form-data; boundary=X'),
  'leads: labels': (text) => lead({ [text]: 'Ada' }),
  'leads: fields': split(5, (text) => lead({ name: text, email: text, phone: text, message: text, question: text })),
  'leads: keys': (text) => [emailKey(text), phoneKey(text), isEmailAddress(text)],
  'punches: timestamp': parseTimestamp,
  'tickets: tags': (text) => [readTags(text), readTags(`"${text}`)],
  'requests: path': (text) => findOperation('GET', text),
  'requests: forwarded addresses': (text) => addressOf('127.0.0.1', text),
  'client: captured stack': (text) => toErrorReport(broken(text)),
  'client: captured message': (text) => toErrorReport(new Error(text)),
  'client: redaction': (text) => redact(text, []),
  'client: secrets': (text) => quote(text, { secrets: secretsIn([{ text }]), length: 500 }),
  'client: network error': (text) => networkError({ call } as never, new Error(text)), // only `call` is used
  'client: Retry-After': (text) => readWait(new Headers({ 'retry-after': asHeader(text) }), 0),
  'client: base URL': (text) => requireBaseUrl(`https://example.com/${text}`, { option: 'baseUrl', path: '/api/v1' }),
  'webhooks: signature': (text) => readSignatureHeaders({ 'x-service-signature': text }, false),
  'webhooks: timestamp': (text) =>
    readSignatureHeaders({ 'webhook-id': text, 'webhook-timestamp': text, 'webhook-signature': 'a'.repeat(64) }, true),
}
