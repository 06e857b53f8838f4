import { describe, expect, test } from 'vitest'
import { startOver, transports } from './faulty-server.ts'

describe.each(transports)('%s', (transport) => {
  test('malformed JSON has a valid length and cannot be parsed', async () => {
    const { send, ...setup } = await startOver(transport)
    setup.server.faults.add({ damage: 'malformed' })
    const response = await send(setup.path, setup.creating())
    const text = await response.text()
    expect([response.status, response.headers.get('content-type')]).toEqual([201, 'application/json'])
    expect(response.headers.get('content-length')).toBe(String(Buffer.byteLength(text)))
    expect(() => JSON.parse(text)).toThrow(SyntaxError)
    expect(JSON.parse(`${text}}`)).toMatchObject({ data: { title: 'A' } })
  })

  test('an empty body keeps the status and content type', async () => {
    const { send, ...setup } = await startOver(transport)
    setup.server.faults.add({ damage: 'empty' })
    const response = await send(setup.path, setup.creating())
    expect([response.status, response.headers.get('content-length')]).toEqual([201, '0'])
    expect([response.headers.get('content-type'), await response.text()]).toEqual(['application/json', ''])
    expect(await setup.titles()).toEqual(['A'])
  })

  test('wrong-type labels JSON as HTML', async () => {
    const { send, ...setup } = await startOver(transport)
    setup.server.faults.add({ damage: 'wrong-type', respond: { status: 200, body: { data: [] } } })
    const response = await send(setup.path)
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(await response.json()).toEqual({ data: [] })
  })

  test('a slow body arrives in chunks and is complete', async () => {
    const { send, ...setup } = await startOver(transport)
    setup.server.faults.add({ bytesPerSecond: 4000, respond: { status: 200, body: 'x'.repeat(600) } })
    const response = await send(setup.path)
    let chunks = 0
    let length = 0
    for await (const chunk of response.body ?? []) {
      chunks += 1
      length += chunk.length
    }
    expect(length).toBe(600)
    expect(chunks).toBeGreaterThanOrEqual(3)
  })

  test('the rest of a slow body arrives at once when the fault is cleared', async () => {
    const { send, ...setup } = await startOver(transport)
    setup.server.faults.add({ bytesPerSecond: 20, respond: { status: 200, body: 'x'.repeat(20_000) } })
    const response = await send(setup.path)
    const reader = response.body?.getReader()
    const first = await reader?.read()
    setup.server.faults.clear()
    let length = first?.value?.length ?? 0
    for (let chunk = await reader?.read(); chunk?.done === false; chunk = await reader?.read())
      length += chunk.value.length
    expect(length).toBe(20_000)
  })
})
