// Writes the table of metrics into docs/guides/monitoring.md. `node packages/server/build/metrics-table.ts --write`
import { readFile, writeFile } from 'node:fs/promises'
import { type MetricDescription, metricTable } from '../src/core/metric-table.ts'

const page = new URL('../../../docs/guides/monitoring.md', import.meta.url)

/** The page with the table as it has to be. */
export const withMetrics = (markdown: string): string =>
  markdown.replace(/(<!-- metrics -->\n).*(<!-- \/metrics -->)/s, (_, begin, end) => `${begin}${list()}\n${end}`)

const list = () => Object.entries<MetricDescription>(metricTable).map(toItem).join('\n')

function toItem([name, { type, labels = [], help, advice, only }]: [string, MetricDescription]): string {
  const kind = [
    type,
    ...(labels.length > 0 ? [`by ${labels.map((label) => `\`${label}\``).join(', ')}`] : []),
    ...(only === undefined ? [] : [`${only} only`]),
  ].join(', ')
  return `- **\`${name}\`** (${kind}): ${help} *${advice}*`
}

if (process.argv.includes('--write')) await writeFile(page, withMetrics(await readFile(page, 'utf8')))
