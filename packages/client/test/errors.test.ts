import { inspect } from 'node:util'
import { build } from 'esbuild'
import { expect, expectTypeOf, it } from 'vitest'
import type { AnyServiceError, ErrorCode, ErrorDetails } from '../src/index.ts'
import * as errors from '../src/index.ts'

const details: ErrorDetails = {
  method: 'GET',
  route: '/workspaces/{workspace}/tickets',
  attempts: 1,
  durationMs: 5,
  delivered: 'yes',
  retryable: false,
}

type Copy = typeof errors

/** A separate, minified copy of the package. */
async function bundledCopy(format: 'esm' | 'cjs'): Promise<Copy> {
  const entry = new URL('../src/index.ts', import.meta.url).pathname
  const { outputFiles } = await build({ entryPoints: [entry], bundle: true, minify: true, format, write: false })
  const code = outputFiles[0]?.text ?? ''
  if (format === 'esm') return import(`data:text/javascript,${encodeURIComponent(code)}`)
  const module = { exports: {} }
  new Function('module', 'exports', code)(module, module.exports)
  return module.exports as Copy // both builds export the same
}

const classes = Object.entries(errors).filter(([, value]) =>
  Object.prototype.isPrototypeOf.call(errors.ServiceError.prototype, Object(value.prototype)),
)

it('names each of its sixteen classes like its export, also when minified', async () => {
  const minified = Object.entries(await bundledCopy('esm'))
  expect(classes).toHaveLength(16)
  for (const [name, Kind] of [...classes, ...minified.filter(([name]) => classes.some(([known]) => known === name))]) {
    const error = new (Kind as typeof errors.ConflictError)('A sentence.', details)
    expect([error.name, Kind.name]).toEqual([name, name])
    expect(inspect(error)).toContain(name)
  }
})

it('has one code for each class', () => {
  const codes = classes.map(([, Kind]) => new (Kind as typeof errors.ConflictError)('', details).code)
  expect(codes).toEqual([...new Set(codes)])
  expect(codes.toSorted()).toEqual([
    'aborted',
    'authentication',
    'conflict',
    'invalid_request',
    'network',
    'not_found',
    'payload_too_large',
    'permission',
    'rate_limited',
    'redirect',
    'server_error',
    'timeout',
    'unexpected_response',
    'unexpected_status',
    'unsupported_media_type',
    'validation',
  ])
})

it.each(['esm', 'cjs'] as const)(
  'recognizes errors of another copy of the package (%s) by their class',
  async (format) => {
    const copy = await bundledCopy(format)
    const theirs = new copy.ConflictError('A sentence.', details)
    expect(theirs).not.toBe(errors.ConflictError.prototype)
    expect(theirs instanceof errors.ServiceError).toBe(true)
    expect(theirs instanceof errors.ConflictError).toBe(true)
    expect(theirs instanceof errors.NotFoundError).toBe(false)
    expect(errors.isServiceError(theirs)).toBe(true)
    expect(new errors.ConflictError('A sentence.', details) instanceof copy.ConflictError).toBe(true)
  },
)

it.each([
  null,
  undefined,
  5,
  'text',
  {},
  new Error('x'),
  new DOMException('x', 'TimeoutError'),
  { name: 'ConflictError' },
])('does not recognize %o as one of its errors', (value) => {
  expect(errors.isServiceError(value)).toBe(false)
  expect((value as unknown) instanceof errors.ServiceError).toBe(false)
  expect((value as unknown) instanceof errors.TimeoutError).toBe(false)
})

it('supports instanceof for derived classes', () => {
  class Mine extends errors.RateLimitError {}
  expect(new Mine('', details) instanceof Mine).toBe(true)
  expect(new Mine('', details) instanceof errors.RateLimitError).toBe(true)
  expect(new errors.RateLimitError('', details) instanceof Mine).toBe(false)
})

it('serializes to plain data with all fields, without stack and cause', () => {
  const error = new errors.ValidationError('A sentence.', {
    ...details,
    status: 422,
    errors: { title: ['A sentence.'] },
  })
  expect(JSON.parse(JSON.stringify(error))).toEqual({
    name: 'ValidationError',
    code: 'validation',
    message: 'A sentence.',
    ...details,
    status: 422,
    errors: { title: ['A sentence.'] },
  })
})

it('allows exhaustive switches over the code', () => {
  function explain(error: AnyServiceError): string {
    switch (error.code) {
      case 'invalid_request':
        return error.issues.map(({ path }) => path).join()
      case 'validation':
        return Object.keys(error.errors).join()
      case 'network':
        return error.reason
      case 'timeout':
        return error.scope
      case 'unexpected_response':
        return error.snippet ?? ''
      case 'redirect':
        return error.location ?? ''
      case 'authentication':
      case 'permission':
      case 'not_found':
      case 'conflict':
      case 'rate_limited':
      case 'payload_too_large':
      case 'unsupported_media_type':
      case 'server_error':
      case 'unexpected_status':
      case 'aborted':
        return error.message
      default:
        return error satisfies never
    }
  }
  expect(explain(new errors.TimeoutError('', { ...details, scope: 'deadline' }))).toBe('deadline')
  expectTypeOf<AnyServiceError['code']>().toEqualTypeOf<ErrorCode>()
})
