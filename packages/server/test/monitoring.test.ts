import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parser } from '@prometheus-io/lezer-promql'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { type MetricDescription, metricTable } from '../src/core/metric-table.ts'
import { freshDirectory } from './cli-process.ts'

const folder = fileURLToPath(new URL('../../../deploy/monitoring/', import.meta.url))
const docs = new URL('../../../docs/guides/', import.meta.url)
const readPage = (name: string) => readFileSync(new URL(name, docs), 'utf8')
const read = (name: string) => readFileSync(join(folder, name), 'utf8')

/** Every name that a scrape may have. A histogram has three. */
const scraped = new Set(
  Object.entries<MetricDescription>(metricTable).flatMap(([name, { type }]) =>
    type === 'histogram' ? ['_bucket', '_sum', '_count'].map((end) => name + end) : [name],
  ),
)

interface Panel {
  readonly title: string
  readonly targets: readonly { readonly expr: string }[]
}

const dashboard: { readonly panels: readonly Panel[] } = JSON.parse(read('grafana-dashboard.json'))
const queries = dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr))
/** With values in place of the variables of Grafana. */
const panelExpressions = queries.map((expr) => expr.replaceAll('$job', 'service').replaceAll('$__rate_interval', '1m'))
const rules: { alert: string; expr: string; annotations: { description: string } }[] = parse(
  read('alerts.yml'),
).groups.flatMap(({ rules }: { rules: object[] }) => rules)

/** The output of a tool of Prometheus; undefined on computers without it. CI must have it. */
function run(tool: 'promtool' | 'amtool', ...args: string[]): string | undefined {
  try {
    return execFileSync(tool, args, { encoding: 'utf8', stdio: 'pipe' })
  } catch (fault) {
    const isMissing = fault instanceof Error && 'code' in fault && fault.code === 'ENOENT'
    if (isMissing && process.env['CI'] === undefined) return undefined
    throw fault
  }
}

test.each(readdirSync(folder))('%s names only existing metrics', (name) => {
  const named = read(name).match(/\bservice_[a-z]+_[a-z_]+\b/g) ?? []
  expect(named.filter((each) => !scraped.has(each))).toEqual([])
})

test('the alerts and the dashboard use every metric between them', () => {
  const used = [...queries, ...rules.map(({ expr }) => expr)].join('\n')
  const unused = Object.keys(metricTable).filter((name) => !used.includes(name))
  expect(unused).toEqual([])
})

/** The text at each syntax error. The parser continues after it. */
function findSyntaxErrors(expression: string): string[] {
  const errors: string[] = []
  parser.parse(expression).iterate({
    enter: ({ type, from }) => {
      if (type.isError) errors.push(expression.slice(from))
    },
  })
  return errors
}

test('the alerts and the dashboard are valid PromQL', () => {
  expect(findSyntaxErrors('sum(rate(service_http_requests_total[5m])')).toEqual([''])
  const expressions = [...panelExpressions, ...rules.map(({ expr }) => expr)]
  expect(expressions.length).toBeGreaterThan(30)
  expect(expressions.filter((expression) => findSyntaxErrors(expression).length > 0)).toEqual([])
})

test('promtool and amtool, which CI has, accept the configurations, the alerts, their tests, and the queries of the dashboard', async () => {
  const copy = await freshDirectory()
  mkdirSync(join(copy, 'rules'))
  for (const name of readdirSync(folder)) writeFileSync(join(copy, name), read(name))
  writeFileSync(join(copy, 'metrics-token'), 'a_token')
  const recorded = panelExpressions.map((expr, at) => ({ record: `panel:${at}`, expr }))
  writeFileSync(join(copy, 'panels.yml'), JSON.stringify({ groups: [{ name: 'panels', rules: recorded }] }))
  const outputs = [
    run('promtool', 'check', 'config', join(copy, 'prometheus.yml')),
    run('promtool', 'test', 'rules', join(copy, 'alerts.test.yml')),
    run('promtool', 'check', 'rules', join(copy, 'panels.yml')),
    run('amtool', 'check-config', join(copy, 'alertmanager.yml')),
  ]
  for (const output of outputs) expect(output ?? 'SUCCESS').toContain('SUCCESS')
})

describe('the pages', () => {
  test('have the section that each alert and each metric names', () => {
    const headings = new Set(readPage('when-something-is-wrong.md').match(/(?<=^## ).+$/gm))
    const advice = Object.values<MetricDescription>(metricTable).map(({ advice }) => advice)
    const named = [
      ...rules.flatMap(({ annotations }) => [...annotations.description.matchAll(/See "(.+?)"/g)]),
      ...advice.flatMap((text) => [...text.matchAll(/“(.+?)”/g)]),
    ].map(([, heading = '']) => heading)
    expect(named.length).toBeGreaterThan(15)
    expect(named.filter((heading) => !headings.has(heading))).toEqual([])
  })

  test('describe every alert', () => {
    const page = readPage('monitoring.md')
    expect(rules.filter(({ alert }) => !page.includes(`\`${alert}\``))).toEqual([])
  })
})
