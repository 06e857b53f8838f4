import { Hono } from 'hono'
import { ApiError, validation } from '../../api-error.ts'
import { checkInput } from '../../check-input.ts'
import { adminCheck } from '../../http/admin-request.ts'
import { toRefusal } from '../../http/error-reply.ts'
import { maxBodyBytes, readBytes } from '../../http/read-body.ts'
import { describeFault, type Log } from '../../log.ts'
import { parseJson } from '../../parse-json.ts'
import type { PlatformServer } from '../../server.ts'
import { createDesk } from './desk.ts'
import { testBasePath, type Verb, type VerbInput } from './verb.ts'
import { verbs } from './verbs.ts'

/** Snapshots of large workspaces are larger than anything that the platform itself takes. */
const largestSnapshotBytes = 512 * 1024 * 1024

export interface TestDoorOptions {
  readonly adminToken: string
  readonly log: Log
}

export interface TestDoor {
  fetch(request: Request): Response | Promise<Response>
  /** Closes what was opened through it. */
  close(): Promise<void>
}

/** The test controls over HTTP, for tests in any language. They carry the token of administration. */
export function openTestDoor(server: () => PlatformServer, { adminToken, log }: TestDoorOptions): TestDoor {
  const hono = new Hono()
  const desk = createDesk()
  const requireAdmin = adminCheck({ config: { adminToken } })
  for (const verb of verbs) {
    hono.on(verb.method, `${testBasePath}${verb.path.replace(/\{(\w+)\}/g, ':$1')}`, async (c) => {
      requireAdmin(c)
      const asked = await askedOf(verb, c.req.raw, { params: c.req.param(), query: c.req.query() })
      return toResponse(await verb.run(server(), { ...asked, desk }))
    })
  }
  hono.get(`${testBasePath}/openapi.json`, async (c) => {
    const { describeVerbs } = await import('./document.ts')
    return c.json(describeVerbs(verbs))
  })
  hono.notFound((c) => c.json({ message: `There is no test control at ${c.req.method} ${c.req.path}.` }, 404))
  hono.onError((thrown, c) => {
    // Misuse is the caller's business, but a mistake of ours may look the same: it must not pass without a trace.
    if (thrown instanceof TypeError) log.warn(`${c.req.method} ${c.req.path} was refused.`, describeFault(thrown))
    const { status, json, headers } = toRefusal(asRefusal(thrown), log, c.req.header('x-request-id') ?? 'test')
    return new Response(json, { status, headers: { 'content-type': 'application/json', ...headers } })
  })
  return {
    fetch: (request) => hono.fetch(request),
    close: async () => void (await Promise.all(desk.forks.all().map((fork) => fork.close()))),
  }
}

interface FromUrl {
  readonly params: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, string>>
}

async function askedOf(verb: Verb, request: Request, { params, query }: FromUrl): Promise<Omit<VerbInput, 'desk'>> {
  const limit = verb.takes === 'bytes' ? largestSnapshotBytes : maxBodyBytes
  const bytes = request.method === 'GET' ? new Uint8Array() : await readBytes(request, limit)
  const json = verb.body === undefined || bytes.length === 0 ? {} : parseJson(bytes)
  return {
    params,
    bytes,
    body: (verb.body === undefined ? {} : checkInput(verb.body, json)) as never, // of the verb's own schema
    query: (verb.query === undefined ? {} : checkInput(verb.query, query)) as never, // likewise
  }
}

/** Misuse that is a TypeError in TypeScript is bad input here; what a test was waiting for in vain is a conflict. */
function asRefusal(thrown: Error): unknown {
  if (thrown instanceof ApiError || thrown.name === 'Error') return thrown
  if (thrown instanceof TypeError) return validation({ body: [thrown.message] })
  if (thrown.name === 'AssertionError' || thrown.name === 'TimeoutError')
    return new ApiError('conflict', thrown.message)
  return thrown
}

function toResponse(result: unknown): Response {
  if (result === undefined) return new Response(null, { status: 204 })
  if (result instanceof Uint8Array) {
    return new Response(Buffer.from(result), { headers: { 'content-type': 'application/octet-stream' } })
  }
  return Response.json({ data: result })
}
