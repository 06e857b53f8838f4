import { describe, expect, it } from 'vitest'
import { adapters, core, everything, handler, sizeOf, withAdapter } from './bundle-size.ts'
import { bundle } from './web-build.ts'

const limits = { core: 2_550, handler: 4_200, everything: 7_400 }
const adapterLimit = 600

describe.each(['node', 'web'] as const)('minified and with gzip, for %s', (runtime) => {
  it('keeps the core small', async () => {
    expect(await sizeOf(core, runtime)).toBeLessThanOrEqual(limits.core)
  })

  it('keeps the handler small', async () => {
    expect(await sizeOf(handler, runtime)).toBeLessThanOrEqual(limits.handler)
  })

  it.each(adapters)('adds little for %s', async (adapter) => {
    const more = (await sizeOf(withAdapter(adapter), runtime)) - (await sizeOf(handler, runtime))
    expect(more).toBeLessThanOrEqual(adapterLimit)
  })

  it('keeps everything together small', async () => {
    expect(await sizeOf(everything, runtime)).toBeLessThanOrEqual(limits.everything)
  })
})

it('uses no Node API in the web build', async () => {
  const code = await bundle(`${everything}\nexport * as testing from './testing.ts'`, 'web')
  expect(code).not.toMatch(/node:|\bBuffer\b|\bprocess\b|\brequire\b/)
  expect(code).toContain('crypto.subtle')
})
