import {
  apiRoutes,
  eventNames,
  eventSchemas,
  fullPath,
  inboundRoutes,
  liveScopes,
  type Route,
  scopeNames,
  successStatus,
} from '@service/contract'
import { apiDocs, eventExamples } from '@service/contract/docs'
import type { RouteDocs } from '@service/contract/route-docs'
import { expect, onTestFinished, test } from 'vitest'
import * as z from 'zod/mini'
import { createServer, type ServerOptions } from '../src/index.ts'
import { createOpenApiDocument } from '../src/openapi/document.ts'
import { toStrictSchema } from '../src/testing/contract/check-answer.ts'
import { checkExamples, lintOpenApi } from './openapi-checks.ts'

const routes: readonly Route[] = [...apiRoutes, ...inboundRoutes]
const docs: Readonly<Record<string, RouteDocs>> = apiDocs

async function start(options: ServerOptions = {}) {
  const server = await createServer(options)
  onTestFinished(() => server.close())
  return server
}

async function served(options?: ServerOptions): Promise<string> {
  const server = await start(options)
  return (await server.fetch('http://platform.example/openapi.json')).text()
}

/** The fields of an operation that the tests check. */
const Operation = z.looseObject({
  operationId: z.string(),
  tags: z.array(z.string()),
  summary: z.string(),
  description: z.string(),
  security: z.array(z.record(z.string(), z.array(z.string()))),
  'x-required-scope': z.optional(z.string()),
  responses: z.record(z.string(), z.looseObject({ headers: z.optional(z.record(z.string(), z.unknown())) })),
})
const Document = z.looseObject({
  openapi: z.string(),
  info: z.looseObject({ version: z.string() }),
  servers: z.array(z.looseObject({ url: z.string() })),
  paths: z.record(z.string(), z.record(z.string(), Operation)),
  webhooks: z.record(
    z.string(),
    z.looseObject({
      post: z.looseObject({ parameters: z.array(z.unknown()), responses: z.record(z.string(), z.unknown()) }),
    }),
  ),
  components: z.looseObject({
    schemas: z.record(z.string(), z.unknown()),
    parameters: z.record(z.string(), z.looseObject({ name: z.string(), required: z.optional(z.boolean()) })),
    securitySchemes: z.record(
      z.string(),
      z.looseObject({ 'x-scopes': z.optional(z.record(z.string(), z.looseObject({ status: z.string() }))) }),
    ),
  }),
})

const document = Document.parse(JSON.parse(JSON.stringify(createOpenApiDocument())))

function operationOf(route: Route): z.infer<typeof Operation> {
  const operation = document.paths[fullPath(route)]?.[route.method.toLowerCase()]
  if (operation === undefined) throw new Error(`${route.operation} is not in the document.`)
  return operation
}

test('GET /openapi.json requires no credentials and returns OpenAPI 3.1.0 of API version 1.0.0', async () => {
  const server = await start()
  const response = await server.fetch('http://platform.example/openapi.json')
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toBe('application/json')
  expect(await response.json()).toMatchObject({ openapi: '3.1.0', info: { version: '1.0.0' } })
})

test.each(['/openapi.json', '/admin/v1/openapi.json'])(
  'the server of %s is the public URL of the platform',
  async (path) => {
    const serverOf = async (options: ServerOptions, origin: string) => {
      const server = await start(options)
      const { servers }: { servers: { url: string }[] } = await (await server.fetch(origin + path)).json()
      return servers.map(({ url }) => url)
    }
    const publicUrl = 'https://desk.example/platform/'
    for (const origin of ['http://one.example:8080', 'http://[::1]:8080', 'http://one.example:8080']) {
      expect(await serverOf({}, origin)).toEqual([origin])
      expect(await serverOf({ publicUrl }, origin)).toEqual(['https://desk.example/platform'])
    }
  },
)

test('the document is the same for every other configuration', async () => {
  const plain = await served()
  const configured = await served({
    adminToken: 'an-admin-token-of-twenty',
    createdStatus: 200,
    rateLimit: 7,
    validation: 'strict',
    deviceNotFoundStatus: 200,
  })
  expect(configured).toBe(plain)
})

test('the document lists exactly the routes of the contract', () => {
  const documented = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, { operationId }]) => `${method.toUpperCase()} ${path} ${operationId}`),
  )
  expect(documented.sort()).toEqual(
    routes.map((route) => `${route.method} ${fullPath(route)} ${route.operation}`).sort(),
  )
})

test.each(routes)('$operation documents exactly its statuses', (route) => {
  expect(Object.keys(operationOf(route).responses)).toEqual(
    [successStatus(route), ...[...route.errorStatuses].sort((a, b) => a - b)].map(String),
  )
})

test.each(routes)('$operation documents its response headers', (route) => {
  for (const [status, { headers = {} }] of Object.entries(operationOf(route).responses)) {
    expect(Object.keys(headers)).toEqual(
      expect.arrayContaining(['X-Request-Id', 'X-RateLimit-Limit', 'X-RateLimit-Remaining']),
    )
    expect('Retry-After' in headers).toBe(status === '429' || status === '503')
  }
})

test.each(apiRoutes)('$operation documents its scope', (route) => {
  const operation = operationOf(route)
  expect(operation.security).toEqual([{ bearer: [] }])
  expect(operation['x-required-scope']).toBe(route.scope)
  expect(operation.description).toContain(`\`${route.scope}\``)
})

test('the inbound routes document their credentials', () => {
  const credentials = Object.fromEntries(inboundRoutes.map((route) => [route.operation, operationOf(route).security]))
  expect(credentials).toEqual({
    'errors.ping': [],
    'errors.report': [{ webhookSecret: [] }, { bearer: [] }],
    'attendance.ping': [],
    'attendance.punch': [{ webhookSecret: [] }, { deviceSecret: [] }],
    'leads.ping': [],
    'leads.capture': [{ webhookSecret: [] }],
    'git.ping': [],
    'git.send': [],
  })
})

test('all scopes are listed, with only webhooks:manage as planned', () => {
  const listed = document.components.securitySchemes['bearer']?.['x-scopes'] ?? {}
  expect(Object.keys(listed)).toEqual(scopeNames)
  const live = Object.entries(listed).filter(([, { status }]) => status === 'live')
  expect(live.map(([name]) => name)).toEqual(liveScopes)
  expect(listed['webhooks:manage']).toMatchObject({ status: 'planned' })
})

test('the outbound events are webhooks with their headers and responses', () => {
  const headers = Object.values(document.components.parameters).filter(({ name }) =>
    /^(?:x-service-|webhook-|traceparent$)/i.test(name),
  )
  expect(headers.filter(({ required }) => required).map(({ name }) => name)).toEqual([
    'X-Service-Signature',
    'X-Service-Delivery',
    'X-Service-Attempt',
    'X-Service-Sequence',
  ])
  expect(Object.keys(document.webhooks)).toEqual(eventNames)
  for (const event of eventNames) {
    const { parameters, responses } = document.webhooks[event]?.post ?? {}
    expect(parameters).toEqual([
      expect.objectContaining({ name: 'X-Service-Event', in: 'header', schema: { type: 'string', const: event } }),
      ...headers.map(({ name }) => ({ $ref: `#/components/parameters/${name}` })),
    ])
    expect(Object.keys(responses ?? {}).sort()).toEqual(['2XX', '3XX', '410', '429', '503', 'default'])
  }
})

test('a nullable response field is required', () => {
  expect(document.components.schemas['Deal']).toMatchObject({
    properties: {
      amount: { type: ['string', 'null'] },
      account: { anyOf: [{ $ref: '#/components/schemas/Named' }, { type: 'null' }] },
    },
    required: expect.arrayContaining(['id', 'amount', 'account']),
  })
})

test('a body requires only the documented fields and lists known values', () => {
  expect(document.components.schemas['NewTicket']).toMatchObject({
    properties: {
      title: { type: 'string', minLength: 1, maxLength: 255 },
      priority: { type: ['string', 'null'], description: expect.stringContaining('`urgent`') },
      assigned_to: { type: ['integer', 'null'], minimum: 1 },
      tags: { type: ['array', 'null'], maxItems: 50 },
    },
    required: ['title'],
  })
})

test('the schemas contain no internal bounds and defaults', () => {
  const text = JSON.stringify(document.components.schemas)
  for (const noise of [String(Number.MAX_SAFE_INTEGER), '"default"', '\\u0000', 'exclusiveMinimum', 'Output']) {
    expect(text).not.toContain(noise)
  }
})

test('every route has an example of each body and response', () => {
  expect(Object.keys(docs).sort()).toEqual(routes.map(({ operation }) => operation).sort())
  for (const route of routes) {
    const { bodies = {}, responses = {} } = docs[route.operation] ?? {}
    expect(Object.keys(bodies).length > 0).toBe(route.body !== undefined)
    expect(Object.keys(responses)).not.toEqual([])
  }
})

test.each(routes)('the contract accepts the examples of $operation', async (route) => {
  await checkExamples(route, docs[route.operation])
})

test.each(eventNames)('the contract accepts the example of %s', (event) => {
  expect(z.safeParse(toStrictSchema(eventSchemas[event]), eventExamples[event])).toMatchObject({ success: true })
})

test('the linter finds no problem', async () => {
  expect(await lintOpenApi(await served())).toEqual({ totals: { errors: 0, warnings: 0, ignored: 0 }, problems: [] })
})
