import { describe, expect, test } from 'vitest'
import { outcomeOfError, outcomeOfStatus, readDirective } from '../../src/delivery/dispatch/outcome.ts'

const faultOf = (code: string) => Object.assign(new Error('It went wrong.'), { code })

describe('what an answer means', () => {
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

describe('what a fault means', () => {
  test.each([
    ['ENOTFOUND', 'dns', 'The host name could not be resolved'],
    ['EAI_AGAIN', 'dns', 'The host name could not be resolved'],
    ['ENODATA', 'dns', 'The host name could not be resolved'],
    ['ECONNREFUSED', 'refused', 'The receiver could not be reached'],
    ['EHOSTUNREACH', 'refused', 'The receiver could not be reached'],
    ['ENETUNREACH', 'refused', 'The receiver could not be reached'],
    ['EADDRNOTAVAIL', 'refused', 'The receiver could not be reached'],
    ['ECONNRESET', 'reset', 'The connection was closed before the answer was there'],
    ['EPIPE', 'reset', 'The connection was closed before the answer was there'],
    ['UND_ERR_SOCKET', 'reset', 'The connection was closed before the answer was there'],
    ['ETIMEDOUT', 'timeout', 'The receiver did not answer in time'],
    ['UND_ERR_CONNECT_TIMEOUT', 'timeout', 'The receiver did not answer in time'],
    ['EPROTO', 'tls', 'No secure connection could be made'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'tls', 'No secure connection could be made'],
    ['ERR_SSL_WRONG_VERSION_NUMBER', 'tls', 'No secure connection could be made'],
    ['CERT_HAS_EXPIRED', 'tls', 'No secure connection could be made'],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'tls', 'No secure connection could be made'],
    ['UNABLE_TO_GET_ISSUER', 'tls', 'No secure connection could be made'],
    ['CRL_NOT_YET_VALID', 'tls', 'No secure connection could be made'],
    ['HOSTNAME_MISMATCH', 'tls', 'No secure connection could be made'],
    ['HPE_INVALID_CONSTANT', 'body', 'The answer could not be read'],
  ])('%s: %s', (code, kind, sentence) => {
    expect(outcomeOfError(faultOf(code), false)).toEqual({ kind, error: `${sentence} (${code}).` })
  })

  test('an address that may not be called is told in its own words', () => {
    expect(outcomeOfError(faultOf('EGRESS'), false)).toEqual({ kind: 'blocked', error: 'It went wrong.' })
  })

  test('once the status was there, only the body is missing', () => {
    expect(outcomeOfError(faultOf('ECONNRESET'), true).kind).toBe('body')
    expect(outcomeOfError(faultOf('ETIMEDOUT'), true).kind).toBe('timeout')
  })

  test('of several addresses the first speaks for all', () => {
    const faults = new AggregateError([faultOf('ECONNREFUSED'), faultOf('ENOTFOUND')], 'All failed.')
    expect(outcomeOfError(faults, false).kind).toBe('refused')
    const unnamed = Object.assign(new AggregateError([], 'All failed.'), { code: 'ENOTFOUND' })
    expect(outcomeOfError(unnamed, false).kind).toBe('dns')
    expect(outcomeOfError(new AggregateError([], 'All failed.'), false)).toEqual({
      kind: 'body',
      error: 'The answer could not be read (All failed.).',
    })
  })

  test('without a code it is told as it came', () => {
    expect(outcomeOfError(new Error('Broken.'), false).error).toBe('The answer could not be read (Broken.).')
    expect(outcomeOfError('a text', false).error).toBe('The answer could not be read (a text).')
  })
})
