// Writes the table of settings into docs/self-hosting.md. `node packages/server/build/settings-table.ts --write`
import { readFile, writeFile } from 'node:fs/promises'
import { processSettings } from '../src/cli/environment.ts'
import { environmentName, readConfig, settings } from '../src/core/config.ts'

const page = new URL('../../../docs/self-hosting.md', import.meta.url)

/** The page with the table as it has to be. */
export const withSettings = (markdown: string): string =>
  markdown.replace(/(<!-- settings -->\n).*(<!-- \/settings -->)/s, (_, begin, end) => `${begin}${table()}\n${end}`)

function table(): string {
  const defaults = readConfig({})
  const rows = Object.entries(settings).map(([name, { description }]) => {
    const value = defaults[name as keyof typeof defaults] // every setting is in the configuration
    const isNone = value === undefined || (Array.isArray(value) && value.length === 0)
    return `| \`${environmentName(name)}\` | ${description} | ${isNone ? '' : `\`${value}\``} |`
  })
  const ofProcess = Object.entries(processSettings).map(
    ([name, { description, fallback }]) =>
      `| \`${name}\` | ${description} | ${fallback === '' ? '' : `\`${fallback}\``} |`,
  )
  return ['| variable | must be | default |', '|---|---|---|', ...ofProcess, ...rows].join('\n')
}

if (process.argv.includes('--write')) await writeFile(page, withSettings(await readFile(page, 'utf8')))
