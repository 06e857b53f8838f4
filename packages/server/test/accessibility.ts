import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

type Axe = {
  run: (options: object) => Promise<{ violations: { id: string; nodes: { html: string }[] }[] }>
}

/** The findings of axe as `rule: element`, of all rules or of those with these tags. */
export async function accessibilityIssues(page: Page, tags?: readonly string[]): Promise<string[]> {
  await page.evaluate(axe)
  return page.evaluate(
    async (options) => {
      // The script of axe has set it.
      const { violations } = await (globalThis as unknown as { axe: Axe }).axe.run(options)
      return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`))
    },
    tags === undefined ? {} : { runOnly: { type: 'tag', values: tags } },
  )
}
