/**
 * Mutates critical code and reports the mutants that no test detects. Stryker is installed into a cache instead of being a
 * dependency, because it brings a hundred packages.
 */
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { explainedSurvivors } from './mutation/explained.ts'
import { type MutationTarget, mutationTargets } from './mutation/targets.ts'

const help = `Mutates money, attendance, signature, delivery, outbox, and authorization code, and reports undetected mutants.

Usage: node .ci/mutation.ts [<target> …] [--again] [--cache <folder>]

Targets: ${mutationTargets.map(({ name }) => name).join(', ')} (default: all). Unchanged mutants are
skipped unless --again is given. Exits with 1 if less than 95 % of a target's mutants are killed, not counting those that
.ci/mutation/explained.ts explains.`

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    again: { type: 'boolean', default: false },
    cache: { type: 'string', default: join(tmpdir(), 'service-mutation') },
    help: { type: 'boolean', default: false },
  },
})

const root = fileURLToPath(new URL('..', import.meta.url))
const tools = { '@stryker-mutator/core': '10.1.1', '@stryker-mutator/vitest-runner': '10.1.1' }
const minKilledPercent = 95

/** A mutant in Stryker's report. */
interface ReportedMutant {
  readonly mutatorName: string
  readonly replacement: string
  readonly status: 'Killed' | 'Timeout' | 'Survived' | 'NoCoverage' | 'CompileError' | 'RuntimeError' | 'Ignored'
  readonly location: Readonly<Record<'start' | 'end', { readonly line: number; readonly column: number }>>
}

interface Mutant {
  readonly file: string
  readonly line: number
  /** The original line. */
  readonly code: string
  readonly replacement: string
  readonly isKilled: boolean
  readonly isExplained: boolean
}

function run(command: string, args: readonly string[], options: { cwd: string; env?: NodeJS.ProcessEnv }) {
  const child = spawn(command, args, { ...options, stdio: ['ignore', process.stderr, process.stderr] })
  return new Promise<void>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => (code === 0 ? resolve() : reject(new Error(`${command} exited with ${code}.`))))
  })
}

async function installTools(): Promise<void> {
  const manifest = JSON.stringify({ private: true, dependencies: tools })
  const file = join(values.cache, 'installed.json')
  if (existsSync(file) && readFileSync(file, 'utf8') === manifest) return
  mkdirSync(values.cache, { recursive: true })
  process.stderr.write(`Installing Stryker into ${values.cache}\n`)
  // Stryker must load the same vitest and TypeScript as the tests.
  await run('npm', ['install', '--no-audit', '--no-fund', '--legacy-peer-deps', ...specifiers()], { cwd: values.cache })
  for (const name of ['vitest', 'typescript']) {
    const link = join(values.cache, 'node_modules', name)
    if (!existsSync(link)) symlinkSync(join(root, 'node_modules', name), link)
  }
  writeFileSync(file, manifest)
}

const specifiers = () => Object.entries(tools).map(([name, version]) => `${name}@${version}`)

async function runMutants({ name, files, tests }: MutationTarget): Promise<Mutant[]> {
  const modules = join(values.cache, 'node_modules/@stryker-mutator')
  const fileOf = (suffix: string) => join(values.cache, `${name}-${suffix}.json`)
  const [config, report, results] = [fileOf('config'), fileOf('report'), fileOf('judged')]
  if (values.again) rmSync(results, { force: true })
  const options = {
    testRunner: 'vitest',
    coverageAnalysis: 'perTest',
    concurrency: 1,
    mutate: files,
    plugins: [join(modules, 'vitest-runner/dist/src/index.js')],
    vitest: { configFile: '.ci/mutation/vitest.config.ts', related: false },
    reporters: ['json', 'progress-append-only'],
    jsonReporter: { fileName: report },
    incremental: true,
    incrementalFile: results,
    tempDirName: join(values.cache, `${name}-copy`),
    ignorePatterns: ['/.data', '/docs', '/examples'],
    // Generous for busy machines. Hanging mutants hit the timeout of the test itself.
    timeoutMS: 60_000,
    dryRunTimeoutMinutes: 30,
    allowConsoleColors: false,
  }
  writeFileSync(config, JSON.stringify(options))
  await run(process.execPath, [join(modules, 'core/bin/stryker.js'), 'run', config], {
    cwd: root,
    env: { ...process.env, MUTATION_TESTS: JSON.stringify(tests) },
  })
  return readReport(report)
}

function readReport(path: string): Mutant[] {
  const { files }: { files: Record<string, { source: string; mutants: ReportedMutant[] }> } = JSON.parse(
    readFileSync(path, 'utf8'),
  )
  return Object.entries(files).flatMap(([file, { source, mutants }]) =>
    mutants
      .filter(({ status }) => !['CompileError', 'RuntimeError', 'Ignored'].includes(status))
      .map(({ status, location: { start }, ...mutant }) => {
        const code = (source.split('\n')[start.line - 1] ?? '').trim()
        const replacement = mutant.replacement.replaceAll(/\s+/g, ' ')
        return {
          file,
          line: start.line,
          code,
          replacement,
          isKilled: status === 'Killed' || status === 'Timeout',
          isExplained: explain({ file, code, replacement }) !== undefined,
        }
      }),
  )
}

const explain = ({ file, code, replacement }: Pick<Mutant, 'file' | 'code' | 'replacement'>) =>
  explainedSurvivors.find(
    (known) => known.file === file && code.includes(known.code) && (known.replacement ?? replacement) === replacement,
  )

function reportResult({ name }: MutationTarget, mutants: readonly Mutant[]): boolean {
  const killed = mutants.filter(({ isKilled }) => isKilled).length
  const unexplained = mutants.filter(({ isKilled, isExplained }) => !isKilled && !isExplained)
  const percent = (100 * killed) / (killed + unexplained.length)
  console.log(`${name}: ${mutants.length} mutants, ${killed} killed, ${percent.toFixed(1)} % of the unexplained ones`)
  for (const { file, line, code, replacement } of unexplained) console.log(`  ${file}:${line} ${code} → ${replacement}`)
  return percent >= minKilledPercent
}

async function main(): Promise<number> {
  const unknown = positionals.filter((given) => !mutationTargets.some(({ name }) => name === given))
  if (unknown.length > 0) {
    process.stderr.write(`Unknown target: ${unknown.join(', ')}\n${help}\n`)
    return 2
  }
  await installTools()
  const targets = mutationTargets.filter(({ name }) => positionals.length === 0 || positionals.includes(name))
  let status = 0
  for (const target of targets) if (!reportResult(target, await runMutants(target))) status = 1
  return status
}

if (values.help) process.stdout.write(`${help}\n`)
else process.exitCode = await main()
