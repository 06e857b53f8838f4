import { createInterface } from 'node:readline/promises'
import type { ServiceError } from '@service/client'
import { type Command, Help, InvalidArgumentError, type Option } from 'commander'
import { ConfigError } from '../core/config.ts'
import { explainPath } from '../store/open-error.ts'
import { messageWithCause } from '../store/postgres-faults.ts'
import { print } from './output.ts'

/** Invalid command-line usage; exits with code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** Parses an id. Otherwise the platform would not know the path. */
export function requireNumber(text: string): string {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError('It must be a number, such as 7.')
  return text
}

/** The commands of a file, by name. Each function adds arguments and options. */
export type Definitions = Readonly<Record<string, (command: Command) => Command>>

/** Exit codes: 1 for failures, 2 for invalid usage. */
const exitCodes = { refused: 1, usage: 2 } as const

export function withExitCodes(command: Command, { json = false } = {}): Command {
  command
    .configureHelp({ optionDescription: describeOption })
    .showHelpAfterError(json ? false : `(see ${pathOf(command)} --help)`)
    .configureOutput({ writeOut: print, ...(json ? { outputError: writeJsonError } : {}) })
    // Exiting here would lose a failure to write the help, which is reported later.
    .exitOverride((ended) => {
      if (ended.exitCode !== 0) process.exitCode = exitCodes.usage
      throw ended
    })
  for (const child of command.commands) withExitCodes(child, { json })
  return command
}

const writeJsonError = (text: string, write: (text: string) => void) =>
  write(`${JSON.stringify({ error: { message: text.replace(/^error: /, '').trim() } })}\n`)

const help = new Help()
const describeOption = (option: Option): string =>
  `${help.optionDescription(option)}${option.mandatory && option.defaultValue === undefined ? ' (required)' : ''}`.trim()

const pathOf = (command: Command): string =>
  `${command.parent === null ? '' : `${pathOf(command.parent)} `}${command.name()}`

/** Confirms a destructive command. Without a terminal, `--yes` is required. */
export async function confirm(
  question: string,
  { yes = false }: { readonly yes?: boolean | undefined },
): Promise<void> {
  if (yes) return
  if (!process.stdin.isTTY) throw new UsageError(`${question} Pass --yes to confirm.`)
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  try {
    const answer = await terminal.question(`${question} [y/N] `)
    if (!/^y(es)?$/i.test(answer.trim())) throw new UsageError('Nothing was changed.')
  } finally {
    terminal.close()
  }
}

/** Runs a command. Errors go to stderr, as JSON with `--json`, and set the exit code. */
export const reportingErrors =
  <Given extends readonly unknown[]>(run: (...given: Given) => Promise<void>) =>
  (...given: Given): Promise<void> =>
    run(...given).catch(async (fault: unknown) => {
      const json = given.some((each) => Object(each).json === true)
      const { ServiceError } = await import('@service/client') // only now, so that commands start faster
      const refusal = fault instanceof ServiceError ? fault : undefined
      const text = json ? JSON.stringify({ error: toObject(fault, refusal) }) : toSentences(fault, refusal)
      process.stderr.write(`${text}\n`)
      process.exitCode =
        fault instanceof UsageError || fault instanceof ConfigError ? exitCodes.usage : exitCodes.refused
    })

/** The field errors of an API error. */
const errorsOf = (fault: ServiceError): Readonly<Record<string, readonly string[]>> | undefined =>
  'errors' in fault ? (fault.errors as Record<string, readonly string[]>) : undefined // only a ValidationError has it

function toObject(fault: unknown, refusal: ServiceError | undefined): object {
  if (refusal === undefined) return { message: messageOf(fault) }
  return { message: refusal.message, name: refusal.name, status: refusal.status, errors: errorsOf(refusal) }
}

function toSentences(fault: unknown, refusal: ServiceError | undefined): string {
  const fields = Object.entries((refusal && errorsOf(refusal)) ?? {})
  return [
    messageOf(fault),
    ...fields.flatMap(([field, messages]) => messages.map((message) => `  ${field}: ${message}`)),
  ].join('\n')
}

function messageOf(fault: unknown): string {
  if (fault instanceof ConfigError) return fault.problems.join('\n')
  const explained = explainPath(fault)
  return explained instanceof Error ? messageWithCause(explained) : String(explained)
}

/** Whether a seed is invalid. By its name, because its class is loaded only with seeds. */
export const isSeedError = (fault: unknown): boolean => fault instanceof Error && fault.name === 'SeedError'
