import { cpSync, existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Installation, type Row, run } from './matrix-row.ts'

// Runs two tests with each framework, in a separate project with the packed packages.

const folders = ['./test-frameworks', '../packages/server/test/testing/nothing-answers'].map((folder) =>
  fileURLToPath(new URL(folder, import.meta.url)),
)

interface Framework {
  /** The npm package. Omitted for `node:test`. */
  readonly installs?: string
  /** A file in `test-frameworks/` or `nothing-answers/`. */
  readonly file: string
  /** A tool of the matrix that runs the tests; Node by default. */
  readonly runner?: string
  /** The arguments for Node or the runner. */
  readonly args: readonly string[]
  /** The number of tests in the file; 2 by default. */
  readonly tests?: number
  /** Reads the number of passed tests from the output, or of failed ones if all must fail. */
  readonly passed: (output: string) => number
  /** Whether all tests must fail, and the run must end with the code 1. */
  readonly fails?: boolean
}

const vitest = (installs: string, file = 'fixtures.test.mjs'): Framework => ({
  installs,
  file,
  tests: file === 'fixtures.test.mjs' ? 5 : 2,
  args: ['node_modules/vitest/vitest.mjs', 'run', file, '--reporter=tap-flat'],
  passed: (output) => output.match(/^ok /gm)?.length ?? 0,
})
const msw = (installs: string): Framework => ({ installs, file: 'msw.mjs', args: ['msw.mjs'], passed: Number })

/** Twelve requests that nothing answers. Each test must fail at its limit, and the run must end by itself. */
const held = { file: 'held.test.mjs', tests: 12, fails: true } as const
const failedOfVitest = (output: string) => output.match(/^not ok /gm)?.length ?? 0
const heldOfVitest = (installs: string): Framework => ({
  ...held,
  installs,
  args: ['node_modules/vitest/vitest.mjs', 'run', 'held.test.mjs', '--globals', '--reporter=tap-flat'],
  passed: failedOfVitest,
})
const heldOfJest = (file: string): Framework => ({
  ...held,
  file,
  installs: 'jest@30',
  args: ['--experimental-vm-modules', 'node_modules/jest/bin/jest.js', '--rootDir=.', `--testMatch=**/${file}`],
  passed: (output) => Number(/^Tests: +(\d+) failed, \1 total$/m.exec(output)?.[1]),
})
/**
 * Far more than any runner needs to end. What the tests wait for takes five minutes or more, so a process that it keeps
 * alive exceeds this.
 */
const maxExitMs = 60_000

const frameworks: Readonly<Record<string, Framework>> = {
  'vitest 3.0, hooks': vitest('vitest@3.0', 'hooks.test.mjs'),
  'vitest 3.2': vitest('vitest@3.2'),
  'vitest 4': vitest('vitest@4'),
  'vitest 5': vitest('vitest@5'),
  'Jest 30': {
    installs: 'jest@30',
    file: 'jest.test.mjs',
    args: [
      '--experimental-vm-modules',
      'node_modules/jest/bin/jest.js',
      '--json',
      '--silent',
      '--rootDir=.',
      '--testMatch=**/*.test.mjs',
    ],
    passed: (output) => JSON.parse(output).numPassedTests,
  },
  'Mocha 12': {
    installs: 'mocha@12',
    file: 'mocha.spec.mjs',
    args: ['node_modules/mocha/bin/mocha.js', 'mocha.spec.mjs', '--reporter=json'],
    passed: (output) => JSON.parse(output).stats.passes,
  },
  'vitest 3.0, requests that nothing answers': heldOfVitest('vitest@3.0'),
  'vitest 4, requests that nothing answers': heldOfVitest('vitest@4'),
  'vitest 5, requests that nothing answers': heldOfVitest('vitest@5'),
  'Jest 30, requests that nothing answers': heldOfJest('held.test.mjs'),
  'Jest 30 with CommonJS, requests that nothing answers': heldOfJest('held.test.cjs'),
  'bun test 1.4, requests that nothing answers': {
    ...held,
    runner: 'bun',
    args: ['test', './held.test.mjs'],
    passed: (output) => Number(/^ (\d+) fail$/m.exec(output)?.[1]),
  },
  'node:test': {
    file: 'node.spec.mjs',
    args: ['--test', '--test-reporter=tap', 'node.spec.mjs'],
    passed: (output) => Number(/^# pass (\d+)$/m.exec(output)?.[1]),
  },
  'node:test, requests that nothing answers': {
    ...held,
    file: 'held.spec.mjs',
    args: ['--test', '--test-reporter=tap', 'held.spec.mjs'],
    passed: (output) => Number(/^# cancelled (\d+)$/m.exec(output)?.[1]),
  },
  'Playwright 1.65, requests that nothing answers': {
    ...held,
    tests: 4,
    installs: '@playwright/test@1.65',
    file: 'held-page.spec.mjs',
    args: ['node_modules/@playwright/test/cli.js', 'test', '--config=playwright.config.mjs', '--reporter=line'],
    passed: (output) => Number(/^ +(\d+) failed$/m.exec(output)?.[1]),
  },
  'Playwright 1.65': {
    installs: '@playwright/test@1.65',
    file: 'page.spec.mjs',
    tests: 3,
    args: ['node_modules/@playwright/test/cli.js', 'test', '--config=playwright.config.mjs', '--reporter=json'],
    passed: (output) => JSON.parse(output).stats.expected,
  },
  'MSW 2.10': msw('msw@2.10'),
  'MSW 2, newest': msw('msw@2'),
  'MSW 3': msw('msw@3'),
}

async function passedWith(
  { installs, file, runner, args, passed, fails = false }: Framework,
  { project, tools, tarballs }: Installation,
): Promise<number> {
  const folder = join(project, `with-${installs ?? runner ?? 'node'}-${file}`.replaceAll(/[^a-z0-9.-]/g, '-'))
  mkdirSync(folder)
  writeFileSync(join(folder, 'package.json'), '{"private": true, "type": "module"}')
  for (const name of [file, 'playwright.config.mjs', 'held-cases.cjs']) cpSync(pathOf(name), join(folder, name))
  // With strict peers, npm fails on versions outside the peer ranges instead of warning.
  const packages = [...(installs === undefined ? [] : [installs]), ...tarballs]
  await run('npm', ['install', '--no-audit', '--no-fund', '--strict-peer-deps', ...packages], folder)
  const command = runner === undefined ? process.execPath : join(tools, 'node_modules/.bin', runner)
  const running = run(command, args, folder)
  if (!fails) return passed(await running)
  const output = await outputOfFailure(running)
  const exitMs = Date.now() - statSync(join(folder, 'last-test-ended')).mtimeMs
  if (exitMs > maxExitMs) throw new Error(`The run ended ${exitMs} ms after its last test.`)
  return passed(output)
}

const pathOf = (name: string) => folders.map((folder) => join(folder, name)).find(existsSync) ?? name

/** The output of a run that ended with 1. A run that was killed after its limit has no code. */
const outputOfFailure = (running: Promise<string>): Promise<string> =>
  running.then(
    () => Promise.reject(new Error('The tests passed.')),
    (fault: { readonly code?: unknown; readonly stdout?: string; readonly stderr?: string }) =>
      fault.code === 1 ? `${fault.stdout}\n${fault.stderr}` : Promise.reject(fault),
  )

export const testFrameworks: readonly Row[] = Object.entries(frameworks).map(([name, framework]) => ({
  kind: 'tests with',
  name,
  expected: framework.tests ?? 2,
  run: (place) => passedWith(framework, place),
}))
