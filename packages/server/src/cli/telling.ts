import { ServiceError } from '@service/client/errors'
import { ConfigError } from '../core/config.ts'
import { exitCodes, UsageError } from './command.ts'

/**
 * Runs a command. What goes wrong is told in a sentence on stderr, with `--json` as an object, and decides the exit code.
 */
export const telling =
  <Given extends readonly unknown[]>(run: (...given: Given) => Promise<void>) =>
  (...given: Given): Promise<void> =>
    run(...given).catch((fault: unknown) => {
      const json = given.some((each) => Object(each).json === true)
      process.stderr.write(`${json ? JSON.stringify({ error: toObject(fault) }) : toSentences(fault)}\n`)
      process.exitCode =
        fault instanceof UsageError || fault instanceof ConfigError ? exitCodes.usage : exitCodes.refused
    })

/** What a refusal of the platform says of its fields. */
const errorsOf = (fault: ServiceError): Readonly<Record<string, readonly string[]>> | undefined =>
  'errors' in fault ? (fault.errors as Record<string, readonly string[]>) : undefined // of a ValidationError

function toObject(fault: unknown): object {
  if (!(fault instanceof ServiceError)) return { message: messageOf(fault) }
  return { message: fault.message, name: fault.name, status: fault.status, errors: errorsOf(fault) }
}

function toSentences(fault: unknown): string {
  const fields = fault instanceof ServiceError ? Object.entries(errorsOf(fault) ?? {}) : []
  return [messageOf(fault), ...fields.flatMap(([field, said]) => said.map((each) => `  ${field}: ${each}`))].join('\n')
}

function messageOf(fault: unknown): string {
  if (fault instanceof ConfigError) return fault.problems.join('\n')
  return fault instanceof Error ? fault.message : String(fault)
}
