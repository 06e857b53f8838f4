import { processSettings } from '../src/cli/environment.ts'
import { environmentName, readConfig, settings } from '../src/core/config.ts'
import { markdownTable } from './markdown-table.ts'

/** The variables of the environment. */
export function settingsTable(): string {
  const defaults = readConfig({})
  const rows = Object.entries(settings).map(([name, { description }]) => {
    const value = defaults[name as keyof typeof defaults] // every setting is in the configuration
    const isNone = value === undefined || (Array.isArray(value) && value.length === 0)
    return [`\`${environmentName(name)}\``, description, isNone ? '' : `\`${value}\``]
  })
  const ofProcess = Object.entries(processSettings).map(([name, { description, fallback }]) => [
    `\`${name}\``,
    description,
    fallback === '' ? '' : `\`${fallback}\``,
  ])
  return markdownTable(['variable', 'must be', 'default'], [...ofProcess, ...rows])
}
