import { toShellWord } from '../core/shell-word.ts'
import { withoutPassword } from '../store/postgres-faults.ts'
import { defaultData } from './defaults.ts'

/** The command to type. npx would not find the bare name and would offer to install an unrelated package. */
const commandName = () => (process.env['npm_command'] === 'exec' ? 'npx @service/server' : 'service-server')

/** The data directory of commands that name none. */
export const usualData = (): string => process.env['SERVICE_DATA'] || defaultData

/** The flags that say which platform a command is for. */
interface PlaceFlags {
  readonly url?: string | undefined
  readonly data?: string | undefined
  readonly databaseUrl?: string | undefined
}

/** A command to paste, for the platform of the command that prints it. */
export function printedCommand(words: string, { url, data = usualData(), databaseUrl }: PlaceFlags): string {
  const places = [
    ['--url', url],
    ['--data', data === usualData() ? undefined : data],
    ['--database-url', databaseUrl === undefined ? undefined : withoutPassword(databaseUrl)],
  ]
  const flags = places.flatMap(([flag, place]) => (place === undefined ? [] : [`${flag} ${toShellWord(place)}`]))
  return [commandName(), words, ...flags].join(' ')
}
