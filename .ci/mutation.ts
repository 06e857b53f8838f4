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
import { writeSections } from '../bench/results-file.ts'
import { type ExplainedSurvivor, explainedSurvivors } from './mutation/explained.ts'
import { type MutationTarget, mutationTargets } from './mutation/targets.ts'

const help = `Changes money, attendance, signature, delivery, outbox and authorisation code, and looks whether a test notices.

Usage: node .ci/mutation.ts [name of a target …] [--again] [--cache <folder>] [--json] [--results <file>]

Example: node .ci/mutation.ts money --results /dev/null

Targets: ${mutationTargets.map(({ name }) => name).join(', ')}; all by default. What was judged before, and has not changed
since, is not judged again, unless --again is given: Stryker does not notice that a new test reaches what runs while a module
is loaded. A section for each target is put into bench/MUTATIONS.md; --json prints every mutant. It exits
with 1 when less than 95 % of a target's mutants are killed, those aside that .ci/mutation/explained.ts explains.`

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    again: { type: 'boolean', default: false },
    cache: { type: 'string', default: join(tmpdir(), 'service-mutation') },
    json: { type: 'boolean', default: false },
    results: { type: 'string', default: fileURLToPath(new URL('../bench/MUTATIONS.md', import.meta.url)) },
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
  readonly explanation: string | undefined
}

function run(command: string, args: readonly string[], options: { cwd: string; env?: NodeJS.ProcessEnv }) {
  // What is said goes to stderr: stdout holds only the result.
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
          explanation: isKilled ? undefined : explain({ file, code, becomes })?.why,
        }
      }),
  )
}

const explain = ({ file, code, becomes }: Pick<Mutant, 'file' | 'code' | 'becomes'>): ExplainedSurvivor | undefined =>
  explainedSurvivors.find(
    (known) => known.file === file && code.includes(known.code) && (known.becomes ?? becomes) === becomes,
  )

const cell = (text: string) => `\`${text.replaceAll('|', '\\|')}\``

function sectionOf({ name }: MutationTarget, mutants: readonly Mutant[]): { text: string; isMet: boolean } {
  const killed = mutants.filter(({ isKilled }) => isKilled).length
  const explained = mutants.filter(({ explanation }) => explanation !== undefined).length
  const percent = (100 * killed) / (mutants.length - explained)
  const survivors = mutants.filter(({ isKilled }) => !isKilled)
  const rows = survivors.map(
    ({ file, line, code, becomes, explanation }) =>
      `| ${file.split('/').at(-1)}:${line} | ${cell(code)} | ${cell(becomes)} | ${explanation ?? '**not explained**'} |`,
  )
  const isMet = percent >= leastKilledPercent
  const text = `## ${name}

${mutants.length} mutants, ${killed} killed, ${explained} explained below: ${percent.toFixed(1)} % of the others are killed (wanted: ${leastKilledPercent} %).
${new Date().toISOString().slice(0, 10)}, Stryker ${tools['@stryker-mutator/core']}.

${rows.length === 0 ? 'None survived.' : ['| where | line | with | why it survives |', '|---|---|---|---|', ...rows].join('\n')}`
  return { text, isMet }
}

async function prove(): Promise<number> {
  const unknown = positionals.filter((given) => !mutationTargets.some(({ name }) => name === given))
  if (unknown.length > 0) {
    process.stderr.write(`There is no target ${unknown.join(', ')}.\n${help}\n`)
    return 2
  }
  await installTools()
  const targets = mutationTargets.filter(({ name }) => positionals.length === 0 || positionals.includes(name))
  let isProved = true
  for (const target of targets) {
    const mutants = await judge(target)
    const { text, isMet } = sectionOf(target, mutants)
    isProved &&= isMet
    writeSections(values.results, [text])
    process.stdout.write(values.json ? `${JSON.stringify({ target: target.name, mutants })}\n` : `${text}\n\n`)
  }
  return isProved ? 0 : 1
}

if (values.help) process.stdout.write(`${help}\n`)
else process.exitCode = await prove()
