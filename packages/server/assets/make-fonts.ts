import { readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import subsetFont from 'subset-font'

// Cuts the fonts of the dashboard from those that npm has: few signs, and only the weights that are used. The files that
// it writes are kept in the repository, because browsers are sent exactly these.

const resolve = createRequire(import.meta.url).resolve
const target = (name: string) => fileURLToPath(new URL(`../src/ui/fonts/${name}`, import.meta.url))

const between = (from: number, to: number) =>
  String.fromCodePoint(...Array.from({ length: to - from + 1 }, (_, index) => from + index))

const signs = '–—‘’“”„…·•→←↑↓×−€™⌘⌥⇧⏎'
const latin = between(0x20, 0x7e) + between(0xa0, 0xff) + signs
const weights = { wght: { min: 400, max: 600 } }

const fonts = [
  { name: 'geist-latin.woff2', from: '@fontsource-variable/geist/files/geist-latin-wght-normal.woff2', text: latin },
  {
    name: 'geist-latin-ext.woff2',
    from: '@fontsource-variable/geist/files/geist-latin-ext-wght-normal.woff2',
    text: between(0x100, 0x17f) + between(0x218, 0x21b),
  },
  {
    name: 'geist-mono.woff2',
    from: '@fontsource-variable/geist-mono/files/geist-mono-latin-wght-normal.woff2',
    text: between(0x20, 0x7e),
  },
]

for (const { name, from, text } of fonts) {
  const isMono = name.includes('mono')
  const font = await subsetFont(await readFile(resolve(from)), text, {
    targetFormat: 'woff2',
    variationAxes: isMono ? { wght: 400 } : weights,
  })
  await writeFile(target(name), font)
  process.stdout.write(`${name}: ${font.length} bytes\n`)
}
