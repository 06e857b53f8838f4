import type { CanActivate } from '@nestjs/common'
import type { ALBHandler, APIGatewayProxyHandler, APIGatewayProxyHandlerV2, LambdaFunctionURLHandler } from 'aws-lambda'
import express from 'express'
import type { RequestHandler as RequestHandler4 } from 'express-4'
import express4 from 'express-4'
import type { FastifyPluginAsync, FastifyRequest, RouteHandlerMethod } from 'fastify'
import type { Context, Handler } from 'hono'
import type { Context as KoaContext, Middleware } from 'koa'
import { expect, expectTypeOf, it } from 'vitest'
import * as expressAdapter from '../../src/express.ts'
import * as fastify from '../../src/fastify.ts'
import * as hono from '../../src/hono.ts'
import * as koa from '../../src/koa.ts'
import * as lambda from '../../src/lambda.ts'
import * as nest from '../../src/nest.ts'
import { testSecret as secret } from '../../src/testing.ts'

// Compiled against the types of each framework: its handlers must accept ours without a cast.
it('has the types that frameworks expect', () => {
  const on = { 'ticket.created': () => undefined }
  const aws = lambda.createWebhookHandler({ secret, on })
  const handlers = {
    rest: aws satisfies APIGatewayProxyHandler,
    http: aws satisfies APIGatewayProxyHandlerV2,
    functionUrl: aws satisfies LambdaFunctionURLHandler,
    loadBalancer: aws satisfies ALBHandler,
    express5: expressAdapter.createWebhookHandler({ secret, on }) satisfies express.RequestHandler,
    express4: expressAdapter.createWebhookHandler({ secret, on }) satisfies RequestHandler4,
    fastifyPlugin: fastify.createWebhookPlugin({ path: '/webhooks', secret, on }) satisfies FastifyPluginAsync,
    fastifyRoute: fastify.createWebhookHandler({ secret, on }) satisfies RouteHandlerMethod,
    hono: hono.createWebhookHandler({ secret, on }) satisfies Handler,
    koa: koa.createWebhookHandler({ secret, on }) satisfies Middleware,
    nest: nest.createWebhookGuard({ secret }).canActivate satisfies CanActivate['canActivate'],
  }
  // As AWS calls it, and as a test may call it, with or without the context.
  expectTypeOf(aws).toBeCallableWith({ httpMethod: 'POST' }, { awsRequestId: '1' })
  expectTypeOf(aws).toBeCallableWith({ httpMethod: 'POST' })
  // Functions may name the request or context of the framework.
  const named = {
    express: expressAdapter.createWebhookHandler({
      secret,
      on: { '*': (_event, request: express.Request) => request.ip },
    }) satisfies express.RequestHandler,
    fastify: fastify.createWebhookPlugin({
      path: '/webhooks',
      secret,
      on: { '*': (_event, request: FastifyRequest) => request.ip },
    }) satisfies FastifyPluginAsync,
    hono: hono.createWebhookHandler({ secret, on: { '*': (_event, c: Context) => c.req.url } }) satisfies Handler,
    koa: koa.createWebhookHandler({ secret, on: { '*': (_event, c: KoaContext) => c.ip } }) satisfies Middleware,
  }
  expect(Object.values({ ...handlers, ...named }).every((handler) => typeof handler === 'function')).toBe(true)
  express().post('/webhooks', handlers.express5)
  express4().post('/webhooks', handlers.express4)
})
