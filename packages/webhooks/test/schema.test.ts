import { eventSchemas } from '@service/contract'
import { describe, expect, it } from 'vitest'
import {
  createWebhookHandler,
  type StandardSchema,
  verify,
  verifySync,
  WebhookVerificationError,
} from '../src/index.ts'
import { fixtures, testSecret as secret, signedDelivery, signedRequest } from '../src/testing.ts'

/** Creates a Standard Schema from a validation function. */
const schemaOf = (validate: StandardSchema['~standard']['validate']): StandardSchema => ({
  '~standard': { version: 1, vendor: 'test', validate },
})

const refusing = schemaOf(() => ({ issues: [{ message: 'secret words', path: ['ticket', { key: 'tags' }, 0] }] }))

it('accepts an event that matches the schema, with its payload unchanged', async () => {
  const payload = { ...fixtures['ticket.created'], added: true }
  const delivery = await signedDelivery(payload)
  const schema = eventSchemas['ticket.created']
  expect(await verify({ ...delivery, secret, schema })).toMatchObject({ type: 'ticket.created', payload })
  expect(verifySync({ ...delivery, secret, schema })).toMatchObject({ type: 'ticket.created', payload })
})

it('refuses an event that a zod schema rejects, and reports the path', async () => {
  const { ticket } = fixtures['ticket.created']
  const delivery = await signedDelivery({ ...fixtures['ticket.created'], ticket: { ...ticket, id: '42' } } as never)
  const refusal = { code: 'invalid_payload', status: 400, hint: expect.stringContaining('payload.ticket.id') }
  const options = { ...delivery, secret, schema: eventSchemas['ticket.created'] }
  await expect(verify(options)).rejects.toMatchObject(refusal)
  expect(() => verifySync(options)).toThrow(expect.objectContaining(refusal))
})

it('reports the path of the first issue without its message', async () => {
  const delivery = await signedDelivery('ticket.created')
  const error: unknown = await verify({ ...delivery, secret, schema: refusing }).catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(WebhookVerificationError)
  expect(error).toMatchObject({ hint: 'the schema refuses payload.ticket.tags.0' })
})

it('reports the whole payload if an issue has no path', async () => {
  const delivery = await signedDelivery('ticket.created')
  const schema = schemaOf(() => ({ issues: [{ message: 'no' }] }))
  await expect(verify({ ...delivery, secret, schema })).rejects.toMatchObject({ hint: 'the schema refuses payload' })
})

it('does not validate unknown events', async () => {
  const delivery = await signedDelivery({ event: 'ticket.merged' })
  expect(await verify({ ...delivery, secret, schema: refusing })).toMatchObject({ type: 'unknown' })
})

it('validates only after the MAC is verified', async () => {
  const validated: unknown[] = []
  const schema = schemaOf((value) => {
    validated.push(value)
    return {}
  })
  const delivery = await signedDelivery('ticket.created', { secret: 'another' })
  await expect(verify({ ...delivery, secret, schema })).rejects.toMatchObject({ code: 'no_match' })
  expect(validated).toEqual([])
})

describe('an asynchronous schema', () => {
  const asynchronous = schemaOf(async () => ({ issues: [{ message: 'no', path: ['event'] }] }))

  it('is awaited by verify', async () => {
    const delivery = await signedDelivery('ticket.created')
    await expect(verify({ ...delivery, secret, schema: asynchronous })).rejects.toMatchObject({
      code: 'invalid_payload',
    })
  })

  it('makes verifySync throw a TypeError', async () => {
    const delivery = await signedDelivery('ticket.created')
    expect(() => verifySync({ ...delivery, secret, schema: asynchronous })).toThrow(TypeError)
  })
})

it('is an option of every handler', async () => {
  const handler = createWebhookHandler({ secret, on: {}, schema: refusing })
  const response = await handler(await signedRequest('ticket.created'))
  expect(response.status).toBe(400)
  expect(await response.json()).toMatchObject({ code: 'invalid_payload' })
})
