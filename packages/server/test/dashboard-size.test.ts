import { gzipSync } from 'node:zlib'
import { transform } from 'esbuild'
import { expect, test } from 'vitest'
import { assetNames, makeAsset } from '../src/http/dashboard/asset-sources.ts'

/** As built and compressed for transfer. */
async function sizeOf(name: (typeof assetNames)[number]): Promise<number> {
  const made = await makeAsset(name, async (source) => (await transform(source, { loader: 'ts' })).code)
  if (typeof made !== 'string') return name.endsWith('.woff2') ? made.length : gzipSync(made, { level: 9 }).length
  const { code } = await transform(made, { loader: name.endsWith('.css') ? 'css' : 'js', minify: true })
  return gzipSync(code, { level: 9 }).length
}

test('the first visit loads at most 63 kB, of them 30 kB of scripts and 14 kB of styles', async () => {
  const sizes = Object.fromEntries(
    await Promise.all(assetNames.map(async (name) => [name, await sizeOf(name)] as const)),
  )
  const scripts = (sizes['htmx.js'] ?? 0) + (sizes['dashboard.js'] ?? 0)
  // The longest pages have about 5 kB. Pages that are opened later load the font of code, and boards, lists, comments, and the mapping page their files.
  const page = 5_000
  const onOpen = /^(?:board|mapping|mentions|select)\.|^geist-mono/
  const first = Object.fromEntries(Object.entries(sizes).filter(([name]) => !onOpen.test(name)))
  const all = Object.values(first).reduce((sum, size) => sum + size, page)
  expect({ scripts: scripts <= 30_000, styles: (sizes['dashboard.css'] ?? 0) <= 14_000, all: all <= 63_000 }).toEqual({
    scripts: true,
    styles: true,
    all: true,
  })
})
