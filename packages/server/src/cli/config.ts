import { Command } from 'commander'
import { environmentName, readConfig, settings } from '../core/config.ts'
import { type Definitions, reportingErrors } from './command.ts'
import { type DatabaseFlags, readEnvironment, withDatabaseFlags } from './environment.ts'
import { toTable } from './output.ts'

/** The source of a value, highest precedence first. */
type Source = 'flag' | 'file' | 'environment' | 'default'

interface SettingRow {
  readonly setting: string
  readonly value: unknown
  readonly source: Source
}

function defineConfig(command: Command): Command {
  const print = withDatabaseFlags(new Command('print').description('Print every setting, its value, and its source.'))
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  SERVICE_RATE_LIMIT=600 service-server config print')
    .action(reportingErrors(run))
  return command.addCommand(print)
}

async function run({ json, ...flags }: DatabaseFlags & { readonly json?: boolean }): Promise<void> {
  const { options } = readEnvironment(process.env, flags)
  const config = readConfig(options, environmentName)
  const shown = Object.entries(settings).map(([name, { secret }]): SettingRow => {
    const value = config[name as keyof typeof config] // every setting is in the configuration
    const isSet = value !== undefined && !(Array.isArray(value) && value.length === 0)
    return {
      setting: environmentName(name),
      value: secret && isSet ? '***' : (value ?? null),
      source: sourceOf(name, flags),
    }
  })
  process.stdout.write(
    `${json === true ? JSON.stringify(shown, null, 2) : toTable(shown, ['setting', 'value', 'source'])}\n`,
  )
}

function sourceOf(name: string, flags: object): Source {
  const variable = environmentName(name)
  if (name in flags) return 'flag'
  if (process.env[`${variable}_FILE`]) return 'file'
  return process.env[variable] ? 'environment' : 'default'
}

export const commands: Definitions = { config: defineConfig }
