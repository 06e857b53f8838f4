import { describe, expect, test } from 'vitest'
import { outcomeOfError, outcomeOfStatus, readDirective } from '../../src/delivery/worker/outcome.ts'

const faultOf = (code: string) => Object.assign(new Error('It went wrong.'), { code })

describe('the outcome of a response status', () => {
  test.each([
    [100, 'status'],
    [199, 'status'],
    [200, 'ok'],
    [299, 'ok'],
    [300, 'redirect'],
    [308, 'redirect'],
    [399, 'redirect'],
    [400, 'status'],
    [410, 'status'],
    [599, 'status'],
  ])('%d: %s', (status, kind) => {
    const { error, ...outcome } = outcomeOfStatus(status)
    expect(outcome.kind).toBe(kind)
    if (kind === 'ok') expect(error).toBeNull()
    else expect(error).toContain(`answered ${status}${kind === 'redirect' ? ', and redirects are not followed' : ''}.`)
  })

  test.each([
    ['disable', 'disable'],
    [' Abort-Message ', 'abort-message'],
    ['stop', undefined],
    ['', undefined],
    [undefined, undefined],
  ])('the directive %s: %s', (header, directive) => {
    expect(readDirective(header)).toBe(directive)
  })
})

describe('the outcome of an error', () => {
  test.each([
    ['ENOTFOUND', 'dns', 'The host name could not be resolved'],
    ['EAI_AGAIN', 'dns', 'The host name could not be resolved'],
    ['ENODATA', 'dns', 'The host name could not be resolved'],
    ['ECONNREFUSED', 'refused', 'The receiver could not be reached'],
    ['EHOSTUNREACH', 'refused', 'The receiver could not be reached'],
    ['ENETUNREACH', 'refused', 'The receiver could not be reached'],
    ['EADDRNOTAVAIL', 'refused', 'The receiver could not be reached'],
    ['ECONNRESET', 'reset', 'The connection was closed before the response arrived'],
    ['EPIPE', 'reset', 'The connection was closed before the response arrived'],
    ['UND_ERR_SOCKET', 'reset', 'The connection was closed before the response arrived'],
    ['ETIMEDOUT', 'timeout', 'The receiver did not respond in time'],
    ['UND_ERR_CONNECT_TIMEOUT', 'timeout', 'The receiver did not respond in time'],
    ['EPROTO', 'tls', 'The TLS connection failed'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'tls', 'The TLS connection failed'],
    ['ERR_SSL_WRONG_VERSION_NUMBER', 'tls', 'The TLS connection failed'],
    ['CERT_HAS_EXPIRED', 'tls', 'The TLS connection failed'],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'tls', 'The TLS connection failed'],
    ['UNABLE_TO_GET_ISSUER', 'tls', 'The TLS connection failed'],
    ['CRL_NOT_YET_VALID', 'tls', 'The TLS connection failed'],
    ['HOSTNAME_MISMATCH', 'tls', 'The TLS connection failed'],
    ['HPE_INVALID_CONSTANT', 'body', 'The response could not be read'],
  ])('%s: %s', (code, kind, sentence) => {
    expect(outcomeOfError(faultOf(code), false)).toEqual({ kind, error: `${sentence} (${code}).` })
  })

  test('a blocked address keeps its own message', () => {
    expect(outcomeOfError(faultOf('EGRESS'), false)).toEqual({ kind: 'blocked', error: 'It went wrong.' })
  })

  test('after the status has arrived, a reset means that the body is missing', () => {
    expect(outcomeOfError(faultOf('ECONNRESET'), true).kind).toBe('body')
    expect(outcomeOfError(faultOf('ETIMEDOUT'), true).kind).toBe('timeout')
  })

  test('the error of the first address decides', () => {
    const faults = new AggregateError([faultOf('ECONNREFUSED'), faultOf('ENOTFOUND')], 'All failed.')
    expect(outcomeOfError(faults, false).kind).toBe('refused')
    const unnamed = Object.assign(new AggregateError([], 'All failed.'), { code: 'ENOTFOUND' })
    expect(outcomeOfError(unnamed, false).kind).toBe('dns')
    expect(outcomeOfError(new AggregateError([], 'All failed.'), false)).toEqual({
      kind: 'body',
      error: 'The response could not be read (All failed.).',
    })
  })

  test('an error without a code keeps its message', () => {
    expect(outcomeOfError(new Error('Broken.'), false).error).toBe('The response could not be read (Broken.).')
    expect(outcomeOfError('a text', false).error).toBe('The response could not be read (a text).')
  })
})
