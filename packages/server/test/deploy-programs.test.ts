import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { freshDirectory } from './cli-process.ts'
import { installedProgram, installTimeoutMs } from './installed-program.ts'
import { monitoringFolder, panelExpressions } from './monitoring-files.ts'

// What the programs of operators say of the files in `deploy/`.

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
  const outputs = [
    run(promtool, 'check', 'config', join(copy, 'prometheus.yml')),
    run(promtool, 'test', 'rules', join(copy, 'alerts.test.yml')),
    run(promtool, 'check', 'rules', join(copy, 'panels.yml')),
    run(amtool, 'check-config', join(copy, 'alertmanager.yml')),
  ]
  for (const output of outputs) expect(output).toContain('SUCCESS')
})

test('systemd-analyze accepts the unit', { timeout: installTimeoutMs }, async () => {
  const analyze = await installedProgram({ paths: ['/usr/bin/systemd-analyze'], debianPackage: 'systemd' })
  const unit = fileURLToPath(new URL('../../../deploy/service-server.service', import.meta.url))
  expect(run(analyze, 'verify', unit)).toBe('')
})
