import * as contract from '@service/contract'
import { type ControlRoute, fullPath, testBasePath } from '@service/contract'
import { Bytes } from '@service/contract/bytes'
import { tags } from '@service/contract/docs'
import { controlDocs } from '@service/contract/docs/test-controls'
import { controlRoutes } from '@service/contract/test-controls'
import { type Context, Hono } from 'hono'
import * as z from 'zod/mini'
import type { App } from '../../context.ts'
import { requestAddress } from '../../core/addresses.ts'
import { checkKnownInput, checkKnownQuery, parseJsonBody } from '../../core/check-input.ts'
import { ApiError, notFound, validation } from '../../core/errors.ts'
import { describeFault } from '../../core/log.ts'
import { version } from '../../core/version.ts'
import { adminLogin } from '../../http/admin-login.ts'
import { jsonHeaders, toErrorResponse } from '../../http/error-response.ts'
import { isIdentifiable, toHonoPath } from '../../http/mount-routes.ts'
import { maxBodyBytes, paramsReader, readBytes } from '../../http/read-request.ts'
import { schemasOf } from '../../openapi/schemas.ts'
import { describeSurface } from '../../openapi/surface-document.ts'
import type { TestRoute } from '../mount-test-routes.ts'
import type { TestServer } from '../test-controls.ts'
import { type ControlHandler, type ControlInput, createHandleRegistry, toSnake } from './control-route.ts'
import { controls } from './control-routes.ts'
import { createForkRoutes, type ForkParts, forksPath } from './fork-routes.ts'

/** Snapshots of large workspaces are larger than any other body. */
const maxSnapshotBytes = 512 * 1024 * 1024

export interface ControlApi {
  /** The routes of the test controls of this server, and of the forks that they open. */
  routesFor(server: TestServer): readonly TestRoute[]
  /** Closes the forks. */
  close(): Promise<unknown>
}

/** The test controls over HTTP, for tests in any language. They require the admin token. */
export function createControlApi(app: App, forkParts: Pick<ForkParts, 'open' | 'tree'>): ControlApi {
  if (app.config.adminToken === undefined)
    throw new TypeError('`testControls` needs `adminToken`: requests to the test controls must carry it.')
  const handles = createHandleRegistry()
  const forks = createForkRoutes(forkParts)
  return {
    routesFor(server) {
      const hono = createRoutes(app, { server, handles, forks })
      return [
        { path: testBasePath, answer: async (request, env) => hono.fetch(request, env) },
        { path: forksPath, answer: forks.answer },
      ]
    },
    close: forks.closeAll,
  }
}

interface Controlled extends Pick<ControlInput<ControlRoute>, 'handles' | 'forks'> {
  readonly server: TestServer
}

function createRoutes(app: App, { server, ...opened }: Controlled) {
  const { log } = app
  const hono = new Hono<{ Bindings: object }>()
  const requireAdmin = adminLogin(app)
  const addressOf = requestAddress(app.config)
  const originOf = (c: Context) => app.config.publicUrl?.replace(/\/$/, '') ?? new URL(c.req.url).origin
  for (const route of controlRoutes) {
    const handle = controls[route.operation] as ControlHandler<ControlRoute> // `satisfies` ensures the match
    hono.on(route.method, toHonoPath(fullPath(route)), async (c) => {
      await requireAdmin(c.req.raw, addressOf(c.req.raw, c.env))
      if (!isIdentifiable(c.req.param())) throw notFound('route')
      return toResponse(await handle(server, { ...(await readInput(route, c)), ...opened, origin: originOf(c) }))
    })
  }
  hono.get(`${testBasePath}/openapi.json`, (c) => c.json(createControlDocument(originOf(c)), 200, jsonHeaders))
  hono.notFound((c) =>
    c.json({ message: `There is no test control at ${c.req.method} ${c.req.path}.` }, 404, jsonHeaders),
  )
  hono.onError((thrown, c) => {
    // Invalid use is a client error, but a server bug may look the same, so it is logged.
    if (thrown instanceof TypeError) log.warn(`${c.req.method} ${c.req.path} was refused.`, describeFault(thrown))
    const { status, text, headers } = toErrorResponse(asRefusal(thrown), log, {
      requestId: c.req.header('x-request-id') ?? 'test',
    })
    return new Response(text, { status, headers: { ...jsonHeaders, ...headers } })
  })
  return hono
}

/** The OpenAPI 3.1 document of the test controls, separate from the platform's. */
const createControlDocument = (origin: string) =>
  describeSurface({
    info: { title: 'Test controls', version, description: 'Controls of the platform for tests in any language.' },
    servers: [{ url: origin, description: 'This server. The test controls are under /admin/v1/test.' }],
    tags: tags.test,
    routes: controlRoutes,
    docs: controlDocs,
    schemas: schemasOf(contract),
  })

const nothing = z.object({})

async function readInput(
  route: ControlRoute,
  c: Context,
): Promise<Omit<ControlInput<ControlRoute>, 'handles' | 'forks' | 'origin'>> {
  const params = paramsReader(route)(c)
  const query = checkKnownQuery(route.query, c.req.query()) as never // validated by the route's schema
  return { ...params, query, body: (await readControlBody(route, c.req.raw)) as never } // likewise
}

/** The body may be empty if the schema accepts an empty object. A route without a schema accepts no fields. */
async function readControlBody({ method, body = nothing }: ControlRoute, request: Request): Promise<unknown> {
  if (method === 'GET') return undefined
  const bytes = await readBytes(request, undefined, { sentBytes: body === Bytes ? maxSnapshotBytes : maxBodyBytes })
  return body === Bytes ? bytes : checkKnownInput(body, bytes.length === 0 ? {} : parseJsonBody(bytes))
}

/** Converts code names of options in error messages to wire names. */
const inWireNames = (message: string) => message.replace(/`[\w.]+`/g, toSnake)

/** A TypeError for invalid use becomes a validation error. A failed expectation becomes a conflict. */
function asRefusal(thrown: Error): unknown {
  if (thrown instanceof ApiError || thrown.name === 'Error') return thrown
  if (thrown instanceof TypeError) return validation({ body: [inWireNames(thrown.message)] })
  if (thrown.name === 'AssertionError' || thrown.name === 'WaitTimeoutError')
    return new ApiError('conflict', thrown.message)
  return thrown
}

function toResponse(result: unknown): Response {
  if (result === undefined) return new Response(null, { status: 204 })
  if (result instanceof Uint8Array) {
    return new Response(Buffer.from(result), { headers: { 'content-type': 'application/octet-stream' } })
  }
  return Response.json({ data: result }, { headers: jsonHeaders })
}
