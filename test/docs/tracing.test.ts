import { createServer, type IncomingHttpHeaders } from 'node:http'
import { text } from 'node:stream/consumers'
import { createAdminClient } from '@service/client/admin'
import { expect, test } from 'vitest'
import { listenInTest } from '../../packages/server/test/listen-in-test.ts'
import { readRepoFile } from '../tooling/repo.ts'
import { codeIn } from './page.ts'
import { createProject, startShell } from './project.ts'

const page = readRepoFile('docs/guides/tracing.md')
const blockOf = (language: string, part: string) => codeIn(page, language).find((code) => code.includes(part)) ?? ''

interface Received {
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

interface Receiver {
  readonly url: string
  readonly received: readonly Received[]
  /** Resolves once this many requests were received. */
  waitFor(count: number): Promise<void>
}

async function recordRequests(): Promise<Receiver> {
  const received: Received[] = []
  let notify: () => void = () => undefined
  const server = createServer(async (request, response) => {
    received.push({ headers: request.headers, body: await text(request) })
    response.setHeader('content-type', 'application/json').end('{}')
    notify()
  })
  return {
    url: `http://127.0.0.1:${await listenInTest(server)}`,
    received,
    async waitFor(count) {
      while (received.length < count) await new Promise<void>((resolve) => (notify = resolve))
    },
  }
}

async function startPlatform(collector: Receiver) {
  const adminToken = 'the-admin-token-of-this-test-of-tracing'
  const script = blockOf('sh', 'tracing.mjs').replace('http://127.0.0.1:4318', collector.url)
  const shell = startShell(script.replace(/^node /m, 'exec node ').replace('cli.js start', 'cli.js start --json'), {
    folder: await createProject({ files: { 'tracing.mjs': blockOf('js', 'NodeSDK') } }),
    env: {
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
      SERVICE_PORT: '0',
      SERVICE_LOG: 'info',
      SERVICE_ADMIN_TOKEN: adminToken,
      SERVICE_EGRESS_ALLOW: '127.0.0.1',
    },
  })
  const { origin } = new URL(JSON.parse(await shell.firstLine).base_url)
  const admin = createAdminClient({ baseUrl: `${origin}/admin/v1`, token: adminToken, allowInsecure: true })
  return { origin, admin, shell }
}

interface ExportedSpan {
  readonly name: string
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
}

const spansOf = ({ body }: Received): ExportedSpan[] =>
  JSON.parse(body).resourceSpans.flatMap(({ scopeSpans }: { scopeSpans: { spans: ExportedSpan[] }[] }) =>
    scopeSpans.flatMap(({ spans }) => spans),
  )

const callerSpan = 'b7ad6b7169203331'
/** More requests than share one commit by chance. */
const traceIds = Array.from({ length: 20 }, (_, index) => `0af7651916cd43dd8448eb211c80${1000 + index}`)

test.each(['SIGTERM', 'SIGINT'] as const)(
  'the recipe of docs/guides/tracing.md exports one trace from each request to its receiver, which its log line names, also at %s',
  {
    timeout: 60_000,
  },
  async (signal) => {
    const [collector, receiver] = [await recordRequests(), await recordRequests()]
    const { origin, admin, shell } = await startPlatform(collector)
    const { id: workspace } = await admin.workspaces.create({ name: 'Acme' })
    const { id: user_id } = await admin.members.create({ workspace }, { name: 'Ada', email: 'ada@acme.example' })
    const { token } = await admin.tokens.create({ workspace }, { user_id, scopes: ['tickets:write'] })
    await admin.webhooks.create({ workspace }, { url: receiver.url, events: ['ticket.created'] })
    const authorized = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const answers = traceIds.map((traceId) =>
      fetch(`${origin}/api/v1/workspaces/${workspace}/tickets`, {
        method: 'POST',
        headers: { ...authorized, traceparent: `00-${traceId}-${callerSpan}-01` },
        body: JSON.stringify({ title: traceId }),
      }),
    )
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual(traceIds.map(() => 201))
    await receiver.waitFor(traceIds.length)
    shell.child.kill(signal)
    if (signal === 'SIGTERM') {
      const late = await fetch(`${origin}/api/v1/workspaces/${workspace}/projects`, { headers: authorized })
      expect(late.status).toBe(403) // the token only writes; its span is exported, too
    }
    await shell.ended
    const log = shell.said.stderr
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    const spans = collector.received.flatMap(spansOf)
    const traces = receiver.received.map(({ headers, body }) => {
      const { title: traceId } = JSON.parse(body).ticket
      const named = (name: string) => spans.filter((span) => span.traceId === traceId && span.name === name)
      const [[request], [attempt]] = [named('POST /workspaces/{workspace}/tickets'), named('deliver ticket.created')]
      const transaction = named('transaction').find(({ spanId }) => spanId === attempt?.parentSpanId)
      expect(headers['traceparent']).toBe(`00-${traceId}-${attempt?.spanId}-01`)
      expect([request?.parentSpanId, transaction?.parentSpanId]).toEqual([callerSpan, request?.spanId])
      return traceId
    })
    expect(traces.toSorted()).toEqual(traceIds)
    const created = log.filter(({ route }) => route === '/workspaces/{workspace}/tickets')
    expect(created.map(({ trace_id }) => trace_id).toSorted()).toEqual(traceIds)
    // A request without a trace of its caller begins one.
    const named = log.flatMap(({ method, route, trace_id }) =>
      trace_id === undefined ? [] : [`${trace_id} ${method} ${route}`],
    )
    expect(named.length).toBeGreaterThan(traceIds.length)
    const exported = new Set(spans.map(({ traceId, name }) => `${traceId} ${name}`))
    expect(named.filter((each) => !exported.has(each))).toEqual([])
  },
)
