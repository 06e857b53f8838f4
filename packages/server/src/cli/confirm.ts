import { createInterface } from 'node:readline/promises'
import { UsageError } from './command.ts'

/** Asks before something is destroyed. Without a terminal nobody can answer, so `--yes` must be given. */
export async function confirm(
  question: string,
  { yes = false }: { readonly yes?: boolean | undefined },
): Promise<void> {
  if (yes) return
  if (!process.stdin.isTTY) throw new UsageError(`${question} Say so with --yes.`)
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  try {
    const answer = await terminal.question(`${question} [y/N] `)
    if (!/^y(es)?$/i.test(answer.trim())) throw new UsageError('Nothing was changed.')
  } finally {
    terminal.close()
  }
}
