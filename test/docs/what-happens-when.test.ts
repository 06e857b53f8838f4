import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const path = (relative: string) => fileURLToPath(new URL(`../../docs/guides/${relative}`, import.meta.url))
const sections = readFileSync(path('what-happens-when.md'), 'utf8').split(/^## /m).slice(1)

test.each(sections.map((section) => [section.split('\n', 1)[0] ?? '', section]))(
  'docs/guides/what-happens-when.md says what was tested if %s, and by which files',
  (_title, section) => {
    expect(section).toMatch(/^- \*\*(?:Tested|Not tested)\*\*/m)
    const files = [...section.matchAll(/\]\(([^)]+\.test\.ts)\)/g)].map(([, file = '']) => file)
    expect(files.length > 0 || section.includes('**Not tested**')).toBe(true)
    expect(files.filter((file) => !existsSync(path(file)))).toEqual([])
  },
)
