import { type Client, type ClientOptions, createClient, NotFoundError } from '@service/client'
import { type Admin, createAdminClient } from '@service/client/admin'
import { createInboundClient } from '@service/client/inbound'
import { createServer, type ServerOptions } from '@service/server'
import { createTestServer } from '@service/server/testing'
import { type EventHandlers, verify } from '@service/webhooks'
import { createWebhookHandler as cloudflare } from '@service/webhooks/cloudflare'
import { dedupe, memoryStore } from '@service/webhooks/dedupe'
import { createWebhookHandler as express } from '@service/webhooks/express'
import { createWebhookHandler as fastify } from '@service/webhooks/fastify'
import { createWebhookHandler as hono } from '@service/webhooks/hono'
import { createWebhookHandler as koa } from '@service/webhooks/koa'
import { createWebhookHandler as lambda } from '@service/webhooks/lambda'
import { createWebhookHandler as next } from '@service/webhooks/next'
import { createWebhookHandler as node } from '@service/webhooks/node'
import { signedRequest } from '@service/webhooks/testing'

const options: ClientOptions = { baseUrl: 'https://platform.example/api/v1', token: 'token', workspace: 1 }
const client: Client = createClient(options)
export const titles: Promise<string[]> = client.tickets.list().then((tickets) => tickets.map(({ title }) => title))
// @ts-expect-error a title is a string
export const wrong = client.tickets.create({ title: 7 })
// @ts-expect-error a token is a string
export const unauthorized = () => createAdminClient({ baseUrl: 'https://platform.example', token: 7 })
const on: EventHandlers<Request> = { 'ticket.created': ({ payload }) => console.log(payload.ticket.title.length) }
const serverOptions: ServerOptions = { rateLimit: 'off' }
export const admin: Promise<Admin> = createServer(serverOptions).then((server) => server.admin)
export const all = [
  createAdminClient,
  NotFoundError,
  createInboundClient,
  createTestServer,
  on,
  verify,
  dedupe,
  memoryStore,
]
export const handlers = [cloudflare, express, fastify, hono, koa, lambda, next, node, signedRequest]
