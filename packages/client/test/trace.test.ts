import { context, propagation, ROOT_CONTEXT, type TextMapPropagator } from '@opentelemetry/api'
import { afterEach, expect, it } from 'vitest'
import { clientWith, json, network } from './support/client.ts'

afterEach(() => {
  propagation.disable()
  context.disable()
})

const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'

/** Injects like the propagators of OpenTelemetry. */
const propagator: TextMapPropagator = {
  inject: (active, carrier, setter) => {
    expect(active).toBe(ROOT_CONTEXT)
    setter.set(carrier, 'traceparent', traceparent)
    setter.set(carrier, 'baggage', 'user=ada')
  },
  extract: (active) => active,
  fields: () => ['traceparent', 'baggage'],
}

it('sends the traceparent of OpenTelemetry with every attempt, without baggage', async () => {
  propagation.setGlobalPropagator(propagator)
  const { fetch, requests } = network(json({}, 503), json({ data: [] }))
  await clientWith({ fetch }).client.tickets.list()
  const sent = requests.map(({ headers }) => [headers.get('traceparent'), headers.get('baggage')])
  expect(sent).toEqual([
    [traceparent, null],
    [traceparent, null],
  ])
})

it('keeps a traceparent of the caller, and sends none without a propagator', async () => {
  const { fetch, requests } = network(json({ data: [] }))
  const { client } = clientWith({ fetch })
  await client.tickets.list()
  propagation.setGlobalPropagator(propagator)
  await client.tickets.list({ headers: { traceparent: 'mine' } })
  await client.tickets.list({ headers: { Traceparent: 'mine' } })
  expect(requests.map(({ headers }) => headers.get('traceparent'))).toEqual([null, 'mine', 'mine'])
})

it('sends the request without a traceparent if the propagator fails', async () => {
  const inject = () => {
    throw new Error('no context')
  }
  propagation.setGlobalPropagator({ ...propagator, inject })
  const { fetch, requests } = network(json({ data: [] }))
  await clientWith({ fetch }).client.tickets.list()
  expect(requests[0]?.headers.has('traceparent')).toBe(false)
})
