import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { cliPath } from '../test/cli-process.ts'
import { freshDirectory } from '../test/fresh-directory.ts'
import { startProgram } from '../test/start-program.ts'

const preload = fileURLToPath(new URL('./kill-at-step.ts', import.meta.url))

interface Ran {
  /** Null if it was killed. */
  readonly code: number | null
  readonly stderr: string
  readonly steps: readonly string[]
}

type Variables = Readonly<Record<string, string>>

/** Runs a command and kills it before a step; without one, it ends by itself, or at SIGTERM once it is ready. */
async function runUntilStep(words: readonly string[], variables: Variables, stepToKill?: number): Promise<Ran> {
  const list = join(await freshDirectory(), 'steps')
  const killing = stepToKill === undefined ? {} : { STEP_TO_KILL: String(stepToKill) }
  const { child, said, ended } = startProgram([process.execPath, '--import', preload, cliPath, ...words], {
    env: { PATH: process.env['PATH'], NODE_NO_WARNINGS: '1', STEP_LIST: list, ...killing, ...variables },
  })
  if (words[0] === 'start') child.stdout?.once('data', () => child.kill('SIGTERM'))
  const code = await ended
  const steps = existsSync(list) ? (await readFile(list, 'utf8')).split('\n').slice(0, -1) : []
  return { code, stderr: said.stderr, steps }
}

/** A command on a separate directory or database, and what must hold after it was killed. */
export interface Interruptible {
  /** Makes a fresh place, and returns the command. */
  prepare(): Promise<{
    readonly words: readonly string[]
    readonly variables?: Variables
    /** The next command of an operator who does not know that this one was killed before the step. */
    check(step: number): Promise<void>
  }>
}

/**
 * Finds the steps of a command by running it, and then kills it before each of them. Of equal steps in a row, such as the
 * writes of a copied file, it chooses the first and the last. `most` instead limits the number of kills to evenly spread
 * steps, always including the first and the last.
 */
export async function killAtEachStep({ prepare }: Interruptible, most?: number): Promise<number> {
  const whole = await prepare()
  const { code, stderr, steps } = await runUntilStep(whole.words, whole.variables ?? {})
  if (code !== 0) throw new Error(`The command fails without a kill: ${stderr}`)
  await whole.check(0)
  const chosen = most === undefined ? endsOfRuns(steps) : spread(steps.length, most)
  for (const step of chosen) {
    const { words, variables = {}, check } = await prepare()
    const killed = await runUntilStep(words, variables, step)
    if (killed.code !== null && killed.code !== 0)
      throw new Error(`Before step ${step}, the command failed by itself: ${killed.stderr}`)
    await check(step).catch((fault: unknown) => {
      throw new Error(
        `After a kill before step ${step} of ${steps.length}, "${killed.steps.at(-1)}": ${String(fault)}`,
        {
          cause: fault,
        },
      )
    })
  }
  return chosen.length
}

/** The numbers of the steps, counted from 1, that differ from the one before or after. */
const endsOfRuns = (steps: readonly string[]): number[] =>
  steps.flatMap((step, index) => (steps[index - 1] === step && steps[index + 1] === step ? [] : [index + 1]))

function spread(count: number, most: number): number[] {
  const all = Array.from({ length: count }, (_, index) => index + 1)
  if (count <= most) return all
  return Array.from({ length: most }, (_, index) => 1 + Math.round((index * (count - 1)) / (most - 1)))
}
