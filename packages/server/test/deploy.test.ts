import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { environmentName, settings } from '../src/core/config.ts'

const read = (name: string) => readFileSync(new URL(`../../../deploy/${name}`, import.meta.url), 'utf8')

const known = new Set([
  ...Object.keys(settings).map(environmentName),
  ...['SERVICE_PORT', 'SERVICE_HOST', 'SERVICE_JSON', 'SERVICE_LOG', 'SERVICE_DOMAIN'],
])

test('the image owns both volumes of the compose files, and its build context has no secrets', () => {
  const owned = /install -d -o node -g node -m 700 (.+)/.exec(read('Dockerfile'))?.[1]?.split(' ') ?? []
  for (const name of ['compose.sqlite.yaml', 'compose.postgres.yaml'])
    for (const mount of parse(read(name)).services.server.volumes) expect(owned).toContain(mount.split(':')[1])
  expect(read('../.dockerignore').split('\n')).toContain('deploy/secrets')
})

test('the Dockerfile has two stages, an unprivileged user, a health check, and an entry point', () => {
  const text = read('Dockerfile')
  const instructions = text
    .replace(/\\\n/g, ' ')
    .split('\n')
    .filter((line) => /^[A-Z]+ /.test(line))
  const of = (name: string) => instructions.filter((line) => line.startsWith(`${name} `))
  expect(of('FROM')).toHaveLength(2)
  expect(of('FROM').every((line) => /:[\w.-]+/.test(line) && !line.includes(':latest'))).toBe(true)
  expect(instructions.indexOf('USER node')).toBeGreaterThan(
    instructions.findLastIndex((line) => line.startsWith('RUN')),
  )
  expect(of('HEALTHCHECK')[0]).toContain('CMD ["service-server", "healthcheck"]')
  expect(of('ENTRYPOINT')).toEqual(['ENTRYPOINT ["service-server"]'])
  expect(of('ADD')).toEqual([])
})

test.each(['Dockerfile', 'compose.sqlite.yaml', 'compose.postgres.yaml', 'Caddyfile', 'service-server.service'])(
  '%s names only existing settings',
  (name) => {
    const named = read(name).match(/\bSERVICE_[A-Z_]+\b/g) ?? []
    expect(named.filter((setting) => !known.has(setting) && !known.has(setting.replace(/_FILE$/, '')))).toEqual([])
  },
)

test.each([
  ['compose.sqlite.yaml', 1],
  ['compose.postgres.yaml', 2],
])('%s runs %i read-only, unprivileged servers behind Caddy', (name, replicas) => {
  const { services, volumes, secrets = {} } = parse(read(name))
  const { server, caddy } = services
  expect(server.deploy?.replicas ?? 1).toBe(replicas)
  expect(server).toMatchObject({ read_only: true, cap_drop: ['ALL'] })
  expect(server.ports).toBeUndefined()
  expect(caddy.depends_on.server.condition).toBe('service_healthy')
  for (const { volumes: mounted = [], secrets: used = [] } of Object.values<{ volumes?: string[]; secrets?: string[] }>(
    services,
  )) {
    for (const mount of mounted) if (/^\w/.test(mount)) expect(Object.keys(volumes)).toContain(mount.split(':')[0])
    for (const secret of used) expect(Object.keys(secrets)).toContain(secret)
  }
})

test('systemd-analyze accepts the unit, if it is installed', () => {
  const path = fileURLToPath(new URL('../../../deploy/service-server.service', import.meta.url))
  const verify = () => execFileSync('systemd-analyze', ['verify', path], { encoding: 'utf8', stdio: 'pipe' })
  try {
    expect(verify()).toBe('')
  } catch (fault) {
    // This computer has no systemd.
    if (!(fault instanceof Error && 'code' in fault && fault.code === 'ENOENT')) throw fault
    expect(read('service-server.service')).toMatch(/^ExecStart=.* start$/m)
  }
})
