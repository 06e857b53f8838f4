import { expect, it } from 'vitest'
import { clientWith, network } from '../test/support/client.ts'

const coded = (code: string, message = code) => Object.assign(new Error(message), { code })
const failed = (cause: unknown) => new TypeError('fetch failed', { cause })

it.each([
  ['Node', failed(coded('ECONNREFUSED', 'connect ECONNREFUSED 127.0.0.1:1')), 'refused', 'no'],
  ['Node, two addresses', failed(new AggregateError([coded('ECONNREFUSED')], 'both')), 'refused', 'no'],
  ['Bun', coded('ConnectionRefused', 'Unable to connect. Is the computer able to access the url?'), 'refused', 'no'],
  [
    'Deno',
    new TypeError('client error (Connect): tcp connect error: Connection refused (os error 111)'),
    'refused',
    'no',
  ],
  ['Node', failed(coded('EHOSTUNREACH', 'connect EHOSTUNREACH 10.0.0.1')), 'refused', 'no'],
  ['Node, while reading', failed(coded('EHOSTUNREACH', 'read EHOSTUNREACH')), 'unknown', 'maybe'],
  ['Node', failed(coded('ENOTFOUND', 'getaddrinfo ENOTFOUND host')), 'dns', 'no'],
  ['Node', failed(coded('EAI_AGAIN', 'getaddrinfo EAI_AGAIN host')), 'dns', 'no'],
  ['Deno', new TypeError('client error (Connect): dns error: failed to lookup address information'), 'dns', 'no'],
  ['Node', failed(coded('CERT_HAS_EXPIRED')), 'tls', 'no'],
  ['Node', failed(coded('DEPTH_ZERO_SELF_SIGNED_CERT')), 'tls', 'no'],
  ['Node', failed(coded('ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION')), 'tls', 'no'],
  ['undici', failed(coded('ERR_SSL_TLSV1_ALERT_NO_APPLICATION_PROTOCOL')), 'tls', 'no'],
  ['undici', failed(coded('ERR_SSL_SSL/TLS_ALERT_HANDSHAKE_FAILURE')), 'tls', 'no'],
  ['Node, after the handshake', failed(coded('ERR_SSL_BAD_RECORD_MAC')), 'tls', 'maybe'],
  ['Node, from a port without TLS', failed(coded('ERR_SSL_WRONG_VERSION_NUMBER')), 'tls', 'maybe'],
  [
    'Deno, from a port without TLS',
    failed(new Error('received corrupt message of type InvalidContentType')),
    'tls',
    'maybe',
  ],
  [
    'Node',
    failed(new Error('Response does not match the HTTP/1.1 protocol (Expected HTTP/, RTSP/ or ICE/)')),
    'not_http',
    'maybe',
  ],
  ['Bun', coded('Malformed_HTTP_Response'), 'not_http', 'maybe'],
  ['Deno', failed(new Error('client error (SendRequest): invalid HTTP version parsed')), 'not_http', 'maybe'],
  ['Deno', failed(new Error('client error (SendRequest): invalid content-length parsed')), 'not_http', 'maybe'],
  ['Node', failed(coded('UND_ERR_CONNECT_TIMEOUT')), 'timeout', 'no'],
  ['Node', failed(coded('UND_ERR_HEADERS_TIMEOUT')), 'timeout', 'maybe'],
  ['undici, of a request in flight', failed(coded('UND_ERR_DESTROYED', 'The client is destroyed')), 'unknown', 'maybe'],
  ['Node', failed(coded('ECONNRESET', 'read ECONNRESET')), 'reset', 'maybe'],
  ['Node', failed(coded('UND_ERR_SOCKET', 'other side closed')), 'reset', 'maybe'],
  ['Bun', coded('ConnectionClosed', 'The socket connection was closed unexpectedly.'), 'reset', 'maybe'],
  ['a worker', new Error('Network connection lost.'), 'reset', 'maybe'],
  ['a browser', new TypeError('Failed to fetch'), 'unknown', 'maybe'],
  ['another realm', { name: 'TypeError', message: 'fetch failed', cause: { code: 'ECONNRESET' } }, 'reset', 'maybe'],
])('classifies the error of %s (%o) as %s, delivered: %s', async (_, thrown, reason, delivered) => {
  const { fetch } = network(() => {
    throw thrown
  })
  const result = await clientWith({ fetch, maxRetries: 0 }).client.tickets.create({ title: 'A title' }).safe()
  expect(result).toMatchObject({
    ok: false,
    error: { code: 'network', reason, delivered, retryable: delivered === 'no' },
  })
})

it('says that an agent of another undici was refused, and does not repeat the call', async () => {
  const { fetch } = network(failed(coded('UND_ERR_INVALID_ARG', 'invalid onRequestStart method')))
  const result = await clientWith({ fetch }).client.tickets.list().safe()
  expect(result.error).toMatchObject({
    message: expect.stringContaining('was not sent: fetch refuses the dispatcher in fetchOptions.'),
    ...{ reason: 'fetch', delivered: 'no', retryable: false, attempts: 0 },
  })
})

it('reports only the system code of the thrown error', async () => {
  const { fetch } = network(failed(coded('ECONNRESET', 'hunter2 at 10.1.2.3')))
  const result = await clientWith({ fetch, maxRetries: 0 }).client.tickets.list().safe()
  if (result.ok) throw new Error('The call did not fail.')
  expect(result.error.message).toBe(
    'GET /workspaces/{workspace}/tickets got no answer from localhost:9 (reset, ECONNRESET).',
  )
  expect(result.error.cause).toBeUndefined()
})
