import { describe, expect, it } from 'vitest'
import { lintSources } from './lint-sources.ts'

/** The lines of a given file that are reported, with the rules that report them. */
async function report(file: string, lines: string[]) {
  const violations = await lintSources([{ file, source: `${lines.join('\n')}\n` }])
  return violations.map(({ line, rule }) => `${lines[line - 1]} → ${rule}`)
}

describe('zod', () => {
  const file = 'packages/contract/src/given.ts'

  it('is imported as the namespace of zod/mini without complaint', async () => {
    expect(await report(file, ["import * as z from 'zod/mini'", 'export const word = z.string()'])).toEqual([])
  })

  it.each([
    "export { z } from 'zod'",
    "export * as z from 'zod/v4'",
    "export * as z from 'zod/v4/core'",
    "export const later = () => import('zod')",
  ])('is refused in the form %s', async (line) => {
    expect(await report(file, [line])).toContain(`${line} → plugin`)
  })

  it.each([
    "import { z } from 'zod/mini'",
    "import { string as z } from 'zod/mini'",
    "import z from 'zod/mini'",
    "import { z } from 'zod'",
  ])('is refused in the form %s', async (line) => {
    expect(await report(file, [line, 'export const used = z'])).toContain(`${line} → plugin`)
  })
})

describe('time', () => {
  const timely = [
    'export const now = Date.now()',
    'export const clock = { now: Date.now }',
    'export const today = new Date()',
    'export const later = setTimeout(() => undefined, 5)',
    'export const again = setInterval(() => undefined, 5)',
  ]

  it('comes from the clock everywhere in the server', async () => {
    const reported = await report('packages/server/src/delivery/worker.ts', timely)
    expect(reported).toEqual(timely.map((line) => `${line} → plugin`))
  })

  it('may be asked of the machine by the clock, the log, the socket, the command line and tests', async () => {
    const free = [
      'core/clock.ts',
      'core/log.ts',
      'runtime/listen.ts',
      'cli/start.ts',
      'modules/tickets/service.test.ts',
      'testing/clock-control.ts',
    ]
    const sources = free.map((path) => ({ file: `packages/server/src/${path}`, source: `${timely.join('\n')}\n` }))
    expect(await lintSources(sources)).toEqual([])
  })

  it('may be turned from a number into a Date anywhere', async () => {
    const file = 'packages/server/src/modules/tickets/service.ts'
    expect(await report(file, ['export const asDate = (ms: number) => new Date(ms)'])).toEqual([])
  })
})

describe('the linter', () => {
  const file = 'packages/server/src/modules/tickets/given.ts'

  const violations = {
    'lint/suspicious/noExplicitAny': 'export const word = (value: any) => value',
    'lint/style/noNonNullAssertion': 'export const word = (value?: string) => value!',
    'lint/suspicious/noConsole': "export const word = () => console.log('hi')",
    'lint/style/noDefaultExport': 'export default 1',
    'lint/correctness/noUnusedImports': "import { a } from './a.ts'",
    'lint/style/useImportType': "import { A } from './a.ts'; export type B = A",
    'lint/correctness/noUnusedVariables': 'const unused = 1',
    'lint/complexity/useMaxParams': 'export const word = (a = 1, b = 2, c = 3, d = 4) => a + b + c + d',
    'lint/nursery/noFloatingPromises': 'export async function f() {}\nf()',
    'lint/complexity/noExcessiveLinesPerFunction': `export function long(n: number) {\n${'  n.toFixed(1)\n'.repeat(51)}}\n`,
  }

  it.each(Object.entries(violations))('reports %s', async (rule, source) => {
    const violations = await lintSources([{ file, source }])
    expect(violations.map((finding) => finding.rule)).toContain(rule)
  })

  it('reports a path into another package', async () => {
    const line = "export { a } from '../../../../client/src/index.ts'"
    expect(await report(file, [line])).toEqual([`${line} → plugin`])
  })

  it('lets the command line write to the terminal', async () => {
    expect(await report('packages/server/src/cli/start.ts', ["console.log('Listening')"])).toEqual([])
  })

  it('lets a configuration file have a default export', async () => {
    expect(await report('packages/client/tsup.config.ts', ['export default {}'])).toEqual([])
  })
})

describe('digests and signatures', () => {
  const file = 'packages/webhooks/src/given.ts'
  const compare = (expression: string) => `export const f = (digest: string, list: string[]) => ${expression}`

  it.each(['digest === list[0]', 'list[0] !== digest', 'list.includes(digest)', 'digest.startsWith(list.join())'])(
    'are not compared by %s',
    async (expression) => {
      expect(await report(file, [compare(expression)])).toEqual([`${compare(expression)} → plugin`])
    },
  )

  it('may be asked for their length and whether they are there', async () => {
    expect(await report(file, [compare('digest.length > 44 && list[0] !== undefined')])).toEqual([])
  })
})
