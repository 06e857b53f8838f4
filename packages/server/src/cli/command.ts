import type { Command } from 'commander'

/** The command was called in a way that cannot be right; ends with exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** Exit codes: what the platform or the machine refuses is 1, what was typed wrong is 2. */
export const exitCodes = { refused: 1, usage: 2 } as const

/** Settings that every command has, those below it included. */
export function withExitCodes(command: Command): Command {
  command
    .showHelpAfterError(`(see ${pathOf(command)} --help)`)
    .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : exitCodes.usage))
  for (const child of command.commands) withExitCodes(child)
  return command
}

const pathOf = (command: Command): string =>
  `${command.parent === null ? '' : `${pathOf(command.parent)} `}${command.name()}`
