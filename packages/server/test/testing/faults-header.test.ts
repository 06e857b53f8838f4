import { expect, test } from 'vitest'
import { startServer } from './faulty-server.ts'

const withFault = (fault: string) => ({ headers: { 'x-service-fault': fault } })

test('the header is ignored unless the server allows it', async () => {
  const { list } = await startServer()
  expect((await list(withFault('status=503'))).status).toBe(200)
})

test('the header applies a fault to its request and appears in the journal', async () => {
  const { server, list } = await startServer({ allowFaultHeaders: true })
  const response = await list(withFault('status=503; retry-after=3; latency=1'))
  expect([response.status, response.headers.get('retry-after')]).toEqual([503, '3'])
  expect((await list()).status).toBe(200)
  expect(server.journal.entries().map(({ fault }) => fault)).toEqual([
    'x-service-fault: status=503; retry-after=3; latency=1',
    undefined,
  ])
})

test('the header takes precedence over the faults of the server', async () => {
  const { server, list } = await startServer({ allowFaultHeaders: true })
  const fault = server.faults.add({ respond: 500 })
  await expect(list(withFault('connection=reset;when=after'))).rejects.toMatchObject({ cause: { code: 'ECONNRESET' } })
  expect(fault.hits).toBe(0)
})

test('the header damages a body on a port', async () => {
  const { server, path } = await startServer({ allowFaultHeaders: true })
  const { url } = await server.listen()
  const response = await fetch(url + path, withFault('damage=empty'))
  expect([response.status, await response.text()]).toEqual([401, ''])
})

test.each([
  ['speed=5', 'x-service-fault has no `speed`; it has status, retry-after,'],
  ['status=abc', '`respond.status` must be a whole number from 200 to 599'],
  ['when=after', 'A fault needs `respond`'],
  ['latency=soon', '`latency` must be a duration'],
])('an invalid header (%s) gets 422 with the remedy', async (header, remedy) => {
  const { list } = await startServer({ allowFaultHeaders: true })
  const response = await list(withFault(header))
  expect(response.status).toBe(422)
  expect(await response.json()).toMatchObject({
    message: expect.stringContaining(remedy),
    errors: { 'X-Service-Fault': [expect.any(String)] },
  })
})
