import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { codeIn } from '../../../test/docs/page.ts'
import { readRepoFile } from '../../../test/tooling/repo.ts'
import { freshDirectory } from './fresh-directory.ts'
import { installedProgram, installTimeoutMs } from './installed-program.ts'
import { monitoringFolder, panelExpressions } from './monitoring-files.ts'

// What the programs of operators say of the files in `deploy/`.

const deploy = fileURLToPath(new URL('../../../deploy/', import.meta.url))

const run = (program: string, ...args: string[]) => execFileSync(program, args, { encoding: 'utf8', stdio: 'pipe' })

test('promtool and amtool accept the configurations, the alerts, their tests, and the queries of the dashboard', {
  timeout: installTimeoutMs,
}, async () => {
  const promtool = await installedProgram({ paths: ['/usr/bin/promtool'], debianPackage: 'prometheus' })
  const amtool = await installedProgram({ paths: ['/usr/bin/amtool'], debianPackage: 'prometheus-alertmanager' })
  const copy = await freshDirectory()
  mkdirSync(join(copy, 'rules'))
  for (const name of readdirSync(monitoringFolder))
    writeFileSync(join(copy, name), readFileSync(join(monitoringFolder, name)))
  writeFileSync(join(copy, 'metrics-token'), 'a_token')
  const recorded = panelExpressions.map((expr, at) => ({ record: `panel:${at}`, expr }))
  writeFileSync(join(copy, 'panels.yml'), JSON.stringify({ groups: [{ name: 'panels', rules: recorded }] }))
  const { configs } = parse(readFileSync(join(deploy, 'compose.monitoring.yaml'), 'utf8'))
  const inCompose: string = configs.prometheus.content
  writeFileSync(join(copy, 'compose.yml'), inCompose.replace('/run/secrets/metrics_token', 'metrics-token'))
  const [, inKubernetes = ''] = codeIn(readRepoFile('docs/guides/monitoring.md'), 'yaml')
  // The Prometheus of Debian is built without the discovery of Kubernetes.
  const discovery = /^ *kubernetes_sd_configs: .*\n/m
  expect(inKubernetes).toMatch(discovery)
  writeFileSync(join(copy, 'kubernetes.yml'), inKubernetes.replace(discovery, ''))
  const outputs = [
    ...['prometheus.yml', 'compose.yml', 'kubernetes.yml'].map((name) =>
      run(promtool, 'check', 'config', join(copy, name)),
    ),
    run(promtool, 'test', 'rules', join(copy, 'alerts.test.yml')),
    run(promtool, 'check', 'rules', join(copy, 'panels.yml')),
    run(amtool, 'check-config', join(copy, 'alertmanager.yml')),
  ]
  for (const output of outputs) expect(output).toContain('SUCCESS')
})

test('systemd-analyze accepts the unit', { timeout: installTimeoutMs }, async () => {
  const analyze = await installedProgram({ paths: ['/usr/bin/systemd-analyze'], debianPackage: 'systemd' })
  expect(run(analyze, 'verify', join(deploy, 'service-server.service'))).toBe('')
})
