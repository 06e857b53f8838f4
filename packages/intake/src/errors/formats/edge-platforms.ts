import { readErrorObject } from '../heuristics/error-object.ts'
import { readTitle } from '../heuristics/title.ts'
import { at, has, isObject, type JsonObject, objectsOf, pick, textOf } from '../json.ts'
import { type ErrorRecord, type RecordDraft, toRecord } from '../record.ts'
import { readStack } from '../stacks/index.ts'
import type { Format } from './format.ts'

// Platforms that run functions at the edge and ship what they printed, mostly of requests that went well.

/** A call of console holds its arguments as a list. */
const printed = (message: unknown): string | null => {
  if (!Array.isArray(message)) return textOf(message)
  const parts = message.slice(0, 20).map((part) => textOf(part) ?? (isObject(part) ? JSON.stringify(part) : ''))
  return textOf(parts.join(' '))
}

/** A line that was printed may be the whole of an error, with its stack. */
const readPrinted = (message: unknown): RecordDraft => {
  const text = printed(message)
  if (text === null) return {}
  return text.includes('\n') && readStack(text) !== null ? { stack: text, message: null } : readTitle(text)
}

const fromWorker = (report: JsonObject): ErrorRecord[] => {
  const event = pick(report, 'event', 'Event')
  const request = pick(event, 'request', 'Request')
  const around = {
    app: pick(report, 'scriptName', 'ScriptName'),
    url: pick(request, 'url', 'URL'),
    method: pick(request, 'method', 'Method'),
    status: at(event, 'response', 'status') ?? at(event, 'Response', 'Status'),
  }
  const outcome = textOf(pick(report, 'outcome', 'Outcome'))
  const thrown = objectsOf(pick(report, 'exceptions', 'Exceptions')).map((exception) =>
    toRecord({
      ...around,
      message: pick(exception, 'message', 'Message'),
      exception: pick(exception, 'name', 'Name'),
      stack: pick(exception, 'stack', 'Stack'),
    }),
  )
  const logs = objectsOf(pick(report, 'logs', 'Logs')).map((log) =>
    toRecord({ ...around, ...readPrinted(pick(log, 'message', 'Message')), severity: pick(log, 'level', 'Level') }),
  )
  if (thrown.length > 0 || outcome === 'ok') return [...thrown, ...logs]
  return [toRecord({ ...around, message: outcome, severity: outcome === 'canceled' ? 'info' : null }), ...logs]
}

/** A trace of a Cloudflare Worker, from a tail worker or from Logpush. */
export const cloudflareWorker: Format = {
  name: 'cloudflare-worker',
  about: {
    title: 'Cloudflare Workers',
    by: '`outcome` with `scriptName`, also in capitals',
    message: 'each of `exceptions[]` and `logs[]`, else the outcome',
    exception: '`exceptions[].name`',
    place: '`exceptions[].stack`',
    context: '`scriptName` · – · level of the log; url, method, status',
  },
  recognises: (report) =>
    (has(report, 'outcome') && (has(report, 'scriptName') || has(report, 'exceptions'))) ||
    (has(report, 'Outcome') && has(report, 'ScriptName')),
  read: fromWorker,
}

const isVercel = (report: JsonObject) =>
  (has(report, 'deploymentId') || has(report, 'projectId')) &&
  ['source', 'type', 'proxy'].some((key) => has(report, key)) &&
  (has(report, 'timestamp') || has(report, 'host'))

/** A line of a Vercel log drain. Lines of requests have a status and often no words. */
export const vercelLog: Format = {
  name: 'vercel-log',
  about: {
    title: 'Vercel log drain',
    by: '`deploymentId` or `projectId` with `source`, `type` or `proxy`',
    message: '`message`, or of its stack',
    exception: 'of the message',
    place: 'the stack in `message`',
    context: '`projectName` · `environment` · `level`, `type`; url, method, status of `proxy`',
  },
  recognises: isVercel,
  read: (report) => {
    const { proxy } = report
    const status = pick(report, 'statusCode') ?? pick(proxy, 'statusCode')
    return [
      toRecord({
        ...readPrinted(pick(report, 'message')),
        url: pick(proxy, 'path') ?? pick(report, 'path'),
        method: pick(proxy, 'method'),
        // A status of -1: the request went elsewhere.
        status,
        app: pick(report, 'projectName'),
        environment: pick(report, 'environment', 'target'),
        severity: pick(report, 'level') ?? (report['type'] === 'stderr' ? 'error' : null),
      }),
    ]
  },
}

const isNetlify = (report: JsonObject) =>
  ['function_name', 'function_type', 'deploy_id', 'log_type'].filter((key) => has(report, key)).length >= 1 &&
  ['site_id', 'site_name', 'deploy_id', 'account_id', 'request_id', 'path'].some((key) => has(report, key))

/** A line of a Netlify log drain: of a function, or of traffic. */
export const netlifyLog: Format = {
  name: 'netlify-log',
  about: {
    title: 'Netlify log drain',
    by: '`function_name`, `deploy_id` or `log_type` with `site_id` or `account_id`',
    message: '`message`, or of its stack',
    exception: 'of the message',
    place: 'the stack in `message`',
    context: '`site_name`, `function_name` · `deploy_context`, `branch` · `level`; url, method, status',
  },
  recognises: isNetlify,
  read: (report) => [
    toRecord({
      ...readErrorObject(pick(report, 'error')),
      ...readPrinted(pick(report, 'message', 'msg')),
      url: pick(report, 'url', 'path'),
      method: pick(report, 'method'),
      status: pick(report, 'status_code', 'status'),
      app: pick(report, 'site_name', 'function_name'),
      environment: pick(report, 'deploy_context', 'context'),
      severity: pick(report, 'level'),
    }),
  ],
}
