import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const docs = fileURLToPath(new URL('../../docs/', import.meta.url))
/** Without generated pages. */
const pages = readdirSync(docs, { recursive: true, encoding: 'utf8' }).filter(
  (name) => name.endsWith('.md') && !/^(?:node_modules|\.vitepress|reference)\//.test(name),
)

/** Headings outside of code blocks. */
const headingsOf = (page: string): string[] => page.replaceAll(/^```.*?^```$/gms, '').match(/^##+ .+$/gm) ?? []

test('no page has two sections with one heading, of which links would reach only the first', () => {
  expect(pages.length).toBeGreaterThan(30)
  const repeated = pages.flatMap((name) => {
    const headings = headingsOf(readFileSync(docs + name, 'utf8'))
    return headings
      .filter((heading, index) => headings.indexOf(heading) < index)
      .map((heading) => `${name}: ${heading}`)
  })
  expect(repeated).toEqual([])
})
