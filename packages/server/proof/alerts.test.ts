import { spawn } from 'node:child_process'
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { freePort } from '../test/free-port.ts'
import { freshDirectory } from '../test/fresh-directory.ts'
import { installedProgram } from '../test/installed-program.ts'
import { asked, createPostgres } from './restartable-postgres.ts'
import { startServer } from './server-process.ts'

const folder = fileURLToPath(new URL('../../../deploy/monitoring', import.meta.url))

/** The published configuration on one server, with each wait shortened to a second. */
async function configure(target: string, token: string): Promise<string> {
  const copy = await freshDirectory()
  cpSync(folder, copy, { recursive: true })
  writeFileSync(join(copy, 'metrics-token'), token)
  const change = (name: string, replace: (text: string) => string) =>
    writeFileSync(join(copy, name), replace(readFileSync(join(copy, name), 'utf8')))
  change('alerts.yml', (text) => text.replaceAll(/for: \d+[ms]/g, 'for: 1s').replaceAll(/\[\d+m\]/g, '[15s]'))
  change('prometheus.yml', (text) => text.replaceAll(/\b1[25]s/g, '1s').replace('127.0.0.1:8081', target))
  return copy
}

/** Starts Debian's Prometheus, and returns how to read the names of the alerts that fire, with their descriptions. */
async function startPrometheus(target: string, token: string) {
  const program = await installedProgram({ paths: ['/usr/bin/prometheus'], debianPackage: 'prometheus' })
  const copy = await configure(target, token)
  const address = `127.0.0.1:${await freePort()}`
  const flags = [`--config.file=${copy}/prometheus.yml`, `--storage.tsdb.path=${copy}/data`]
  const child = spawn(program, [...flags, `--web.listen-address=${address}`], { stdio: 'ignore' })
  const ended = new Promise((resolve) => child.once('close', resolve))
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await ended
  })
  return async (): Promise<Record<string, string>> => {
    const answer = await fetch(`http://${address}/api/v1/alerts`).catch(() => undefined)
    if (answer?.ok !== true) return { Prometheus: 'does not answer' }
    const { data }: { data: { alerts: Alert[] } } = JSON.parse(await answer.text())
    const firing = data.alerts.filter(({ state }) => state === 'firing')
    return Object.fromEntries(firing.map(({ labels, annotations }) => [labels.alertname, annotations.description]))
  }
}

interface Alert {
  readonly state: string
  readonly labels: { readonly alertname: string }
  readonly annotations: { readonly description: string }
}

test('a stopped database, a read-only one, and a stopped server fire their alerts, which end with the failure', async () => {
  const postgres = await createPostgres()
  onTestFinished(() => postgres.remove())
  await postgres.start()
  const port = await freePort()
  const data = await freshDirectory()
  const metricsToken = 'metrics_token_of_enough_characters'
  const settings = { SERVICE_METRICS_TOKEN: metricsToken, SERVICE_HEALTH_PORT: String(port) }
  const start = () => startServer(['--data', data, '--database-url', postgres.url], settings)
  const server = await start()
  const firing = await startPrometheus(`127.0.0.1:${port}`, metricsToken)
  const untilNone = () => expect.poll(firing).toEqual({})
  const untilFires = (alert: string, section: string) =>
    expect.poll(firing).toMatchObject({ [alert]: expect.stringContaining(`See "${section}".`) })
  await untilNone()

  await postgres.end('SIGINT')
  await untilFires('ServiceDatabaseUnavailable', 'The database is unavailable')
  await postgres.start()
  await untilNone()

  const setReadOnly = async (value: 'on' | 'off') => {
    await asked(postgres, `alter system set default_transaction_read_only = ${value}`)
    await asked(postgres, 'select pg_reload_conf()')
  }
  await setReadOnly('on')
  await untilFires('ServiceDatabaseNotWritable', 'The disk is full')
  await setReadOnly('off')
  await untilNone()

  await server.end('SIGKILL')
  await untilFires('ServiceDown', 'The server does not answer')
  const next = await start()
  await untilNone()
  await next.end('SIGTERM')
})
