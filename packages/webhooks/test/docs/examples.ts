import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** One code block of a page. Blocks of one page may import each other by title. */
export interface Example {
  readonly title: string
  readonly code: string
}

export const packageRoot = fileURLToPath(new URL('../..', import.meta.url))

export const pages = {
  'docs/webhooks.md': fileURLToPath(new URL('../../../../docs/webhooks.md', import.meta.url)),
  'README.md': `${packageRoot}README.md`,
}

export type Page = keyof typeof pages

/** The code blocks marked ts or js. Tests run blocks by title, so each must have one. */
export function readExamples(page: Page): Example[] {
  const text = readFileSync(pages[page], 'utf8')
  return Array.from(text.matchAll(/^```(?:ts|js)\b(.*)\n([\s\S]*?)^```$/gm), ([, info = '', code = '']) => {
    const title = /title="([\w-]+\.ts)"/.exec(info)?.[1]
    if (!title) throw new Error(`${page}: a code block has no title: ${code.slice(0, 80)}`)
    return { title, code }
  })
}
