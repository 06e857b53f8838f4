import { fileURLToPath } from 'node:url'
import { type Block, blocksOf } from '../../../../test/docs/page.ts'
import { readRepoFile } from '../../../../test/tooling/repo.ts'

export const packageRoot = fileURLToPath(new URL('../..', import.meta.url))

export const pages = {
  'docs/webhooks.md': 'docs/webhooks.md',
  'README.md': 'packages/webhooks/README.md',
}

export type Page = keyof typeof pages

/** The code blocks marked ts or js. Tests run them by title, and they may import each other by it, so each must have one. */
export function readExamples(page: Page): Block[] {
  const examples = blocksOf(readRepoFile(pages[page]), 'ts', 'js')
  const unnamed = examples.find(({ title }) => !/^[\w-]+\.ts$/.test(title))
  if (unnamed !== undefined) throw new Error(`${page}: a code block has no title: ${unnamed.code.slice(0, 80)}`)
  return examples
}
