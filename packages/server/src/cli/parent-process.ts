import { Socket } from 'node:net'
import type { Command } from 'commander'
import { ConfigError } from '../core/config.ts'

export interface ParentFlags {
  readonly exitWithParent?: boolean
}

export const withParent = (command: Command): Command =>
  command.option('--exit-with-parent', 'stop when standard input, a pipe from the parent process, closes')

/**
 * The pipe from the parent process, if its end must end the command. This is never the default, because reading standard
 * input takes the rest of a script from `ssh host 'bash -s'`, and because many pipes end long before the service should.
 */
export function findParentPipe({ exitWithParent = false }: ParentFlags): Socket | undefined {
  if (!exitWithParent) return undefined
  const { stdin } = process
  if (stdin instanceof Socket && !stdin.isTTY) return stdin
  throw new ConfigError([
    '--exit-with-parent requires a pipe as standard input, such as that of child_process.spawn or of subprocess.Popen(stdin=PIPE). Without a pipe, stop the command with SIGTERM.',
  ])
}

/** Calls `act` when the parent process closes the pipe or ends. The pipe does not keep this process alive. */
export function onParentEnd(pipe: Socket | undefined, act: () => void): void {
  pipe?.once('close', act).once('error', act).resume().unref()
}
