import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import type { Dedupe, EventName, EventOf } from '@service/webhooks'
import * as forExpress from '@service/webhooks/express'
import * as forFastify from '@service/webhooks/fastify'
import * as forHono from '@service/webhooks/hono'
import * as forNext from '@service/webhooks/next'
import express from 'express'
import Fastify, { type FastifyInstance } from 'fastify'
import { Hono } from 'hono'
import { onTestFinished } from 'vitest'
import { listenInTest } from '../listen-in-test.ts'

/** The options that an application passes to its handler. */
export interface ApplicationOptions {
  readonly secret: string
  readonly on: { readonly [Name in EventName]: (event: EventOf<Name>) => unknown }
  readonly dedupe?: Dedupe
}

/** A subscribed application. Each starts on a loopback port and returns its webhook URL. */
export interface Subscriber {
  readonly name: string
  start(options: ApplicationOptions): Promise<string>
  /** With a common mistake: bodies are parsed before the handler sees them. */
  startParsing(options: ApplicationOptions): Promise<string>
}

const expressSubscriber: Subscriber = {
  name: 'Express 5',
  start: (options) => listen(express().post('/webhooks', forExpress.createWebhookHandler(options))),
  startParsing: (options) =>
    listen(express().use(express.json()).post('/webhooks', forExpress.createWebhookHandler(options))),
}

const fastifySubscriber: Subscriber = {
  name: 'Fastify 5',
  start: (options) =>
    listenFastify((app) => app.register(forFastify.createWebhookPlugin({ ...options, path: '/webhooks' }))),
  startParsing: (options) => listenFastify((app) => app.post('/webhooks', forFastify.createWebhookHandler(options))),
}

const honoSubscriber: Subscriber = {
  name: 'Hono',
  start: (options) => listenFetch(new Hono().post('/webhooks', forHono.createWebhookHandler(options)).fetch),
  startParsing: (options) => {
    const app = new Hono().use(async ({ req }, next) => {
      await req.raw.json() // not through the context, which would keep the body
      await next()
    })
    return listenFetch(app.post('/webhooks', forHono.createWebhookHandler(options)).fetch)
  },
}

const appRouterSubscriber: Subscriber = {
  name: 'Next, app router',
  start: (options) => listenRoute({ POST: forNext.createWebhookHandler(options) }),
  startParsing: (options) => {
    const POST = forNext.createWebhookHandler(options)
    return listenRoute({
      POST: async (request) => {
        await request.json()
        return POST(request)
      },
    })
  },
}

const pagesRouterSubscriber: Subscriber = {
  name: 'Next, pages router',
  start: (options) =>
    listenPage({ default: forNext.createPagesHandler(options), config: { api: { bodyParser: false } } }),
  startParsing: (options) => listenPage({ default: forNext.createPagesHandler(options) }),
}

export const subscribers = [
  expressSubscriber,
  fastifySubscriber,
  honoSubscriber,
  appRouterSubscriber,
  pagesRouterSubscriber,
]

/** `app/webhooks/route.ts`: one function for each method, from a `Request` to a `Response`. */
interface RouteModule {
  POST(request: Request): Promise<Response>
}

const listenRoute = ({ POST }: RouteModule) =>
  listenFetch((request) => (request.method === 'POST' ? POST(request) : new Response(null, { status: 405 })))

/** `pages/api/webhooks.ts`: its handler gets Node's request, with a parsed `body` unless it disables parsing. */
interface PageModule {
  default(request: IncomingMessage, response: ServerResponse): Promise<void>
  readonly config?: { readonly api: { readonly bodyParser: boolean } }
}

const listenPage = ({ default: handle, config }: PageModule) =>
  listen(async (request, response) => {
    if (config?.api.bodyParser !== false) {
      const chunks = await request.toArray()
      Object.assign(request, { body: JSON.parse(Buffer.concat(chunks).toString()) })
    }
    await handle(request, response)
  })

const listenFetch = (handle: (request: Request) => Response | Promise<Response>) => listen(getRequestListener(handle))

async function listenFastify(configure: (app: FastifyInstance) => unknown): Promise<string> {
  const app = Fastify({ forceCloseConnections: true })
  await configure(app)
  onTestFinished(() => app.close())
  return `${await app.listen({ host: '127.0.0.1', port: 0 })}/webhooks`
}

/** Serves a listener on a free loopback port until the test ends; returns its webhook URL. */
export const listen = async (listener: RequestListener): Promise<string> =>
  `http://127.0.0.1:${await listenInTest(createServer(listener))}/webhooks`
