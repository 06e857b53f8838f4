// Writes the page of the command line: the help of every command.
import { withExitCodes } from '../../../packages/server/src/cli/command.ts'
import { commands } from '../../../packages/server/src/cli/program.ts'

type Command = Awaited<ReturnType<(typeof commands)[string]['load']>>

export async function commandPage(): Promise<string> {
  const sections = await Promise.all(
    Object.entries(commands).map(async ([name, { summary, load }]) => {
      const command = await load()
      return [`## ${name}`, summary, ...leavesOf(command).map((leaf) => `\`\`\`text\n${helpOf(leaf)}\n\`\`\``)]
    }),
  )
  return [
    '# Command line',
    'The commands of `npx @service/server`. Each prints this text with `--help`, and JSON with `--json`. The exit code is 1 for failures and 2 for invalid usage.',
    ...sections.flat(),
  ].join('\n\n')
}

const leavesOf = (command: Command): Command[] =>
  command.commands.length === 0 ? [command] : command.commands.flatMap(leavesOf)

function helpOf(command: Command): string {
  const written: string[] = []
  withExitCodes(command)
    .configureOutput({ writeOut: (text) => void written.push(text), getOutHelpWidth: () => 80 })
    .outputHelp()
  return written.join('').trim().replace('Usage: ', 'Usage: service-server ')
}
