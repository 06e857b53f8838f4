/**
 * Changes the code that must not be wrong, one place at a time, and looks whether a test notices. Stryker and its hundred
 * packages are no dependency: npm puts them into a cache.
 */
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { type ExplainedSurvivor, explainedSurvivors } from './mutation/explained.ts'
import { type MutationTarget, mutationTargets } from './mutation/targets.ts'

const help = `Changes money, attendance, signature, delivery, outbox and authorization code, and reports what no test notices.

Usage: node .ci/mutation.ts [name of a target …] [--again] [--cache <folder>]

Targets: ${mutationTargets.map(({ name }) => name).join(', ')}; all by default. Mutants that were judged before and have not
changed since are skipped. --again judges them again. Exits with 1 when less than 95 % of a target's mutants are killed,
not counting those that .ci/mutation/explained.ts explains.`

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
const leastKilledPercent = 95

/** As Stryker reports it. */
interface ReportedMutant {
  readonly mutatorName: string
  readonly replacement: string
  readonly status: 'Killed' | 'Timeout' | 'Survived' | 'NoCoverage' | 'CompileError' | 'RuntimeError' | 'Ignored'
  readonly location: Readonly<Record<'start' | 'end', { readonly line: number; readonly column: number }>>
}

interface Mutant {
  readonly file: string
  readonly line: number
  /** The line before it was changed. */
  readonly code: string
  readonly becomes: string
  readonly isKilled: boolean
  readonly isExplained: boolean
}

function run(command: string, args: readonly string[], options: { cwd: string; env?: NodeJS.ProcessEnv }) {
  const child = spawn(command, args, { ...options, stdio: ['ignore', process.stderr, process.stderr] })
  return new Promise<void>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => (code === 0 ? resolve() : reject(new Error(`${command} ended with ${code}.`))))
  })
}

async function installTools(): Promise<void> {
  const manifest = JSON.stringify({ private: true, dependencies: tools })
  const file = join(values.cache, 'installed.json')
  if (existsSync(file) && readFileSync(file, 'utf8') === manifest) return
  mkdirSync(values.cache, { recursive: true })
  process.stderr.write(`Installing Stryker into ${values.cache}\n`)
  // It must load what the tests load.
  await run('npm', ['install', '--no-audit', '--no-fund', '--legacy-peer-deps', ...specifiers()], { cwd: values.cache })
  for (const name of ['vitest', 'typescript']) {
    const link = join(values.cache, 'node_modules', name)
    if (!existsSync(link)) symlinkSync(join(root, 'node_modules', name), link)
  }
  writeFileSync(file, manifest)
}

const specifiers = () => Object.entries(tools).map(([name, version]) => `${name}@${version}`)

async function judge({ name, files, tests }: MutationTarget): Promise<Mutant[]> {
  const modules = join(values.cache, 'node_modules/@stryker-mutator')
  const fileOf = (what: string) => join(values.cache, `${name}-${what}.json`)
  const [config, report, judged] = [fileOf('config'), fileOf('report'), fileOf('judged')]
  if (values.again) rmSync(judged, { force: true })
  const options = {
    ...{ testRunner: 'vitest', coverageAnalysis: 'perTest', concurrency: 1, mutate: files },
    plugins: [join(modules, 'vitest-runner/dist/src/index.js')],
    vitest: { configFile: '.ci/mutation/vitest.config.ts', related: false },
    ...{ reporters: ['json', 'progress-append-only'], jsonReporter: { fileName: report } },
    ...{ incremental: true, incrementalFile: judged },
    ...{ tempDirName: join(values.cache, `${name}-copy`), ignorePatterns: ['/.data', '/docs', '/examples'] },
    // A busy machine is slow; what hangs is found by the tests' own limit.
    ...{ timeoutMS: 60_000, dryRunTimeoutMinutes: 30, allowConsoleColors: false },
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
      .map(({ status, replacement, location: { start } }) => {
        const code = (source.split('\n')[start.line - 1] ?? '').trim()
        const becomes = replacement.replaceAll(/\s+/g, ' ')
        const isKilled = status === 'Killed' || status === 'Timeout'
        return {
          ...{ file, line: start.line, code, becomes, isKilled },
          isExplained: explain({ file, code, becomes }) !== undefined,
        }
      }),
  )
}

const explain = ({ file, code, becomes }: Pick<Mutant, 'file' | 'code' | 'becomes'>): ExplainedSurvivor | undefined =>
  explainedSurvivors.find(
    (known) => known.file === file && code.includes(known.code) && (known.becomes ?? becomes) === becomes,
  )

function isProved({ name }: MutationTarget, mutants: readonly Mutant[]): boolean {
  const killed = mutants.filter(({ isKilled }) => isKilled).length
  const unexplained = mutants.filter(({ isKilled, isExplained }) => !isKilled && !isExplained)
  const percent = (100 * killed) / (killed + unexplained.length)
  console.log(
    `${name}: ${mutants.length} mutants, ${killed} killed, ${percent.toFixed(1)} % of those without explanation`,
  )
  for (const { file, line, code, becomes } of unexplained) console.log(`  ${file}:${line} ${code} → ${becomes}`)
  return percent >= leastKilledPercent
}

async function prove(): Promise<number> {
  const unknown = positionals.filter((given) => !mutationTargets.some(({ name }) => name === given))
  if (unknown.length > 0) {
    process.stderr.write(`There is no target ${unknown.join(', ')}.\n${help}\n`)
    return 2
  }
  await installTools()
  const targets = mutationTargets.filter(({ name }) => positionals.length === 0 || positionals.includes(name))
  let status = 0
  for (const target of targets) if (!isProved(target, await judge(target))) status = 1
  return status
}

if (values.help) process.stdout.write(`${help}\n`)
else process.exitCode = await prove()
