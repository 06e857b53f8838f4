import { Command } from 'commander'
import { environmentName, readConfig, settings } from '../core/config.ts'
import { type Definitions, reportingErrors } from './command.ts'
import { type DatabaseFlags, processSettings, readEnvironment, withDatabaseFlags } from './environment.ts'
import { print, toTable } from './output.ts'

/** The source of a value, highest precedence first. */
type Source = 'flag' | 'file' | 'environment' | 'data directory' | 'default'

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
  const { options, nameOf } = readEnvironment(process.env, flags)
  const config = readConfig(options, nameOf)
  const server = Object.entries(settings).map(([name, { secret }]): SettingRow => {
    const value = config[name as keyof typeof config] // every setting is in the configuration
    const isSet = value !== undefined && !(Array.isArray(value) && value.length === 0)
    return {
      setting: environmentName(name),
      value: secret && isSet ? '***' : (value ?? null),
      source: getSource(name, flags, isSet),
    }
  })
  const shown = [...server, ...ofProcess()]
  print(`${json === true ? JSON.stringify(shown, null, 2) : toTable(shown, ['setting', 'value', 'source'])}\n`)
}

/** Their flags belong to `start`. */
const ofProcess = () =>
  Object.entries(processSettings).map(
    ([setting, { fallback }]): SettingRow => ({
      setting,
      value: process.env[setting] || fallback || null,
      source: process.env[setting] ? 'environment' : 'default',
    }),
  )

function getSource(name: string, flags: object, isSet: boolean): Source {
  const variable = environmentName(name)
  if (name in flags) return 'flag'
  if (process.env[`${variable}_FILE`]) return 'file'
  if (process.env[variable]) return 'environment'
  return isSet && name.startsWith('database') && name.endsWith('Url') ? 'data directory' : 'default'
}

export const commands: Definitions = { config: defineConfig }
