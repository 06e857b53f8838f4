import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const monitoringFolder = fileURLToPath(new URL('../../../deploy/monitoring/', import.meta.url))

export const readMonitoringFile = (name: string) => readFileSync(join(monitoringFolder, name), 'utf8')

interface Panel {
  readonly title: string
  readonly targets: readonly { readonly expr: string }[]
}

const dashboard: { readonly panels: readonly Panel[] } = JSON.parse(readMonitoringFile('grafana-dashboard.json'))

/** The queries of the dashboard, with values in place of the variables of Grafana. */
export const panelExpressions = dashboard.panels
  .flatMap(({ targets }) => targets.map(({ expr }) => expr))
  .map((expr) => expr.replaceAll('$job', 'service').replaceAll('$__rate_interval', '1m'))
