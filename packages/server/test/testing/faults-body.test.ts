import { describe, expect, test } from 'vitest'
import { doors, startBy } from './disturbed.ts'

describe.each(doors)('%s', (door) => {
  test('malformed JSON is properly sent and cannot be read', async () => {
    const { ask, ...setup } = await startBy(door)
    setup.server.faults.add({ damage: 'malformed' })
    const response = await ask(setup.path, setup.creating())
    const text = await response.text()
    expect([response.status, response.headers.get('content-type')]).toEqual([201, 'application/json'])
    expect(response.headers.get('content-length')).toBe(String(Buffer.byteLength(text)))
    expect(() => JSON.parse(text)).toThrow(SyntaxError)
    expect(JSON.parse(`${text}}`)).toMatchObject({ data: { title: 'A' } })
  })

  test('an empty body comes with the status and the type of the whole one', async () => {
    const { ask, ...setup } = await startBy(door)
    setup.server.faults.add({ damage: 'empty' })
    const response = await ask(setup.path, setup.creating())
    expect([response.status, response.headers.get('content-length')]).toEqual([201, '0'])
    expect([response.headers.get('content-type'), await response.text()]).toEqual(['application/json', ''])
    expect(await setup.titles()).toEqual(['A'])
  })

  test('a wrong type says that JSON is HTML', async () => {
    const { ask, ...setup } = await startBy(door)
    setup.server.faults.add({ damage: 'wrong-type', respond: { status: 200, body: { data: [] } } })
    const response = await ask(setup.path)
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(await response.json()).toEqual({ data: [] })
  })

  test('a slow body comes in pieces and is whole in the end', async () => {
    const { ask, ...setup } = await startBy(door)
    setup.server.faults.add({ bytesPerSecond: 4000, respond: { status: 200, body: 'x'.repeat(600) } })
    const response = await ask(setup.path)
    let pieces = 0
    let length = 0
    for await (const piece of response.body ?? []) {
      pieces += 1
      length += piece.length
    }
    expect(length).toBe(600)
    expect(pieces).toBeGreaterThanOrEqual(3)
  })

  test('a slow body comes at once when its fault is cleared', async () => {
    const { ask, ...setup } = await startBy(door)
    setup.server.faults.add({ bytesPerSecond: 20, respond: { status: 200, body: 'x'.repeat(20_000) } })
    const response = await ask(setup.path)
    const reader = response.body?.getReader()
    const first = await reader?.read()
    setup.server.faults.clear()
    let length = first?.value?.length ?? 0
    for (let piece = await reader?.read(); piece?.done === false; piece = await reader?.read())
      length += piece.value.length
    expect(length).toBe(20_000)
  })
})
