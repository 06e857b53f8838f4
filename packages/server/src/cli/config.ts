import { Command } from 'commander'
import { environmentName, readConfig, settings } from '../core/config.ts'
import { type Definitions, reportingErrors } from './command.ts'
import {
  type DatabaseFlags,
  processSettings,
  readEnvironment,
  type SettingSource,
  withDatabaseFlags,
} from './environment.ts'
import { print, toTable } from './output.ts'

interface SettingRow {
  readonly setting: string
  readonly value: unknown
  readonly source: SettingSource
}

function defineConfig(command: Command): Command {
  const print = withDatabaseFlags(new Command('print').description('Print every setting, its value, and its source.'))
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  SERVICE_RATE_LIMIT=600 service-server config print')
    .action(reportingErrors(run))
  return command.addCommand(print)
}

async function run({ json, ...flags }: DatabaseFlags & { readonly json?: boolean }): Promise<void> {
  const { options, nameOf, sourceOf } = readEnvironment(process.env, flags)
  const config = readConfig(options, nameOf)
  const server = Object.entries(settings).map(([name, { secret }]): SettingRow => {
    const value = config[name as keyof typeof config] // every setting is in the configuration
    const isSet = value !== undefined && !(Array.isArray(value) && value.length === 0)
    return {
      setting: environmentName(name),
      value: secret && isSet ? '***' : (value ?? null),
      source: sourceOf(name),
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

export const commands: Definitions = { config: defineConfig }
