import { type MetricDescription, metricTable } from '../src/core/metric-table.ts'

/** Every metric. */
export const metricsList = (): string => Object.entries<MetricDescription>(metricTable).map(toItem).join('\n')

function toItem([name, { type, labels = [], help, advice, only }]: [string, MetricDescription]): string {
  const kind = [
    type,
    ...(labels.length > 0 ? [`by ${labels.map((label) => `\`${label}\``).join(', ')}`] : []),
    ...(only === undefined ? [] : [`${only} only`]),
  ].join(', ')
  return `- **\`${name}\`** (${kind}): ${help} *${advice}*`
}
