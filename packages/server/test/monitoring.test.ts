import { readdirSync } from 'node:fs'
import { parser } from '@prometheus-io/lezer-promql'
import { describe, expect, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { codeIn } from '../../../test/docs/page.ts'
import { readRepoFile } from '../../../test/tooling/repo.ts'
import { type MetricDescription, metricTable } from '../src/core/metric-table.ts'
import { monitoringFolder, panelExpressions, readMonitoringFile } from './monitoring-files.ts'

const readPage = (name: string) => readRepoFile(`docs/guides/${name}`)

/** Every name that a scrape may have. A histogram has three. */
const scraped = new Set(
  Object.entries<MetricDescription>(metricTable).flatMap(([name, { type }]) =>
    type === 'histogram' ? ['_bucket', '_sum', '_count'].map((end) => name + end) : [name],
  ),
)

const rules: { alert: string; expr: string; annotations: { description: string } }[] = parse(
  readMonitoringFile('alerts.yml'),
).groups.flatMap(({ rules }: { rules: object[] }) => rules)

test.each(readdirSync(monitoringFolder))('%s names only existing metrics', (name) => {
  const named = readMonitoringFile(name).match(/\bservice_[a-z]+_[a-z_]+\b/g) ?? []
  expect(named.filter((each) => !scraped.has(each))).toEqual([])
})

test('the alerts and the dashboard use every metric between them', () => {
  const used = [...panelExpressions, ...rules.map(({ expr }) => expr)].join('\n')
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

  test('scrape the health port of the pods in kubernetes.yaml, as the job that the alerts name', () => {
    const manifest = readRepoFile('deploy/kubernetes.yaml')
    const [deployment] = parseAllDocuments(manifest).map((document) => document.toJS())
    const { metadata, spec } = deployment.spec.template
    const { name: port } = spec.containers[0].ports.find(
      ({ containerPort }: { containerPort: number }) => containerPort === 8081,
    )
    const [monitor, { scrape_configs: scrapes }] = codeIn(readPage('monitoring.md'), 'yaml').map((code) => parse(code))
    const [endpoint] = monitor.spec.podMetricsEndpoints
    const mounted = spec.volumes.find(({ name }: { name: string }) => name === 'secrets')
    expect(monitor.spec.selector.matchLabels).toEqual(metadata.labels)
    expect(endpoint).toMatchObject({
      port,
      authorization: { credentials: { name: mounted.secret.secretName, key: 'metrics-token' } },
      relabelings: [{ targetLabel: 'job', replacement: 'service' }],
    })
    expect(scrapes).toMatchObject([
      { job_name: 'service', relabel_configs: [{ regex: `${metadata.labels.app};${port}` }] },
    ])
  })

  test('describe every alert', () => {
    const page = readPage('monitoring.md')
    expect(rules.filter(({ alert }) => !page.includes(`\`${alert}\``))).toEqual([])
  })
})
