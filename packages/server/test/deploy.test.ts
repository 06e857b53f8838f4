import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { processSettings } from '../src/cli/environment.ts'
import { environmentName, settings } from '../src/core/config.ts'

const read = (name: string) => readFileSync(new URL(`../../../deploy/${name}`, import.meta.url), 'utf8')

const readYaml = (name: string) => parse(read(name), { merge: true })

const known = new Set([
  ...Object.keys(settings).map(environmentName),
  ...Object.keys(processSettings),
  'SERVICE_DOMAIN',
])

test('the image owns both volumes of the compose files, and its build context has no secrets', () => {
  const owned = /install -d -o node -g node -m 700 (.+)/.exec(read('Dockerfile'))?.[1]?.split(' ') ?? []
  for (const name of ['compose.sqlite.yaml', 'compose.postgres.yaml'])
    for (const mount of readYaml(name).services.server.volumes) expect(owned).toContain(mount.split(':')[1])
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

test.each([
  'Dockerfile',
  'compose.sqlite.yaml',
  'compose.postgres.yaml',
  'compose.citus.yaml',
  'compose.monitoring.yaml',
  'kubernetes.yaml',
  'Caddyfile',
  'service-server.service',
])('%s names only existing settings', (name) => {
  const named = read(name).match(/\bSERVICE_[A-Z_]+\b/g) ?? []
  expect(named.filter((setting) => !known.has(setting) && !known.has(setting.replace(/_FILE$/, '')))).toEqual([])
})

test.each([
  ['compose.sqlite.yaml', 1],
  ['compose.postgres.yaml', 2],
  ['compose.citus.yaml', 2],
])('%s runs %i read-only, unprivileged servers behind Caddy', (name, replicas) => {
  const { services, volumes, secrets = {} } = readYaml(name)
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

test('kubernetes.yaml routes the ingress and the service to unprivileged, read-only servers', () => {
  const objects = parseAllDocuments(read('kubernetes.yaml')).map((document) => document.toJS())
  const [deployment, service, budget, ingress] = objects
  expect(objects.map(({ kind }) => kind)).toEqual(['Deployment', 'Service', 'PodDisruptionBudget', 'Ingress'])
  const { metadata, spec } = deployment.spec.template
  for (const labels of [deployment.spec.selector.matchLabels, service.spec.selector, budget.spec.selector.matchLabels])
    expect(metadata.labels).toMatchObject(labels)
  const [container] = spec.containers
  expect(container.securityContext).toMatchObject({ readOnlyRootFilesystem: true, capabilities: { drop: ['ALL'] } })
  expect(spec.securityContext.runAsNonRoot).toBe(true)
  expect(container.volumeMounts.map(({ name }: { name: string }) => name)).toEqual(
    spec.volumes.map(({ name }: { name: string }) => name),
  )
  const [port] = service.spec.ports
  expect(container.ports).toContainEqual({ name: port.targetPort, containerPort: 8080 })
  const { backend } = ingress.spec.rules[0].http.paths[0]
  expect(backend.service).toEqual({ name: service.metadata.name, port: { name: port.name } })
})

test('the secret that kubernetes.yaml creates has every key that its server reads', () => {
  const text = read('kubernetes.yaml')
  const keys = new Set(text.match(/(?<=--from-literal=)[a-z-]+/g))
  const files = text.match(/(?<=\/run\/secrets\/service\/)[a-z-]+/g) ?? []
  expect(files).toContain('metrics-token')
  expect(files.filter((name) => !keys.has(name))).toEqual([])
})

test('compose.monitoring.yaml scrapes the health port of the server in each of the other files with its metrics token', () => {
  const { services, secrets, configs } = readYaml('compose.monitoring.yaml')
  const { server, prometheus, ...others } = services
  expect(others).toEqual({})
  expect(Object.keys(secrets)).toEqual(server.secrets)
  expect(prometheus.secrets).toEqual(server.secrets)
  const { dns_sd_configs, authorization } = parse(configs.prometheus.content).scrape_configs[0]
  expect(authorization.credentials_file).toBe(server.environment.SERVICE_METRICS_TOKEN_FILE)
  const [, healthPort] = /SERVICE_HEALTH_PORT=(\d+)/.exec(read('Dockerfile')) ?? []
  expect(dns_sd_configs).toMatchObject([{ names: ['server'], port: Number(healthPort) }])
  for (const name of ['compose.sqlite.yaml', 'compose.postgres.yaml', 'compose.citus.yaml']) {
    const other = readYaml(name)
    expect(Object.keys(other.services)).toContain('server')
    expect(Object.keys(other.volumes)).not.toContain('metrics')
  }
})

test('the unit of systemd starts the server, with its health port', () => {
  const unit = read('service-server.service')
  expect(unit).toMatch(/^ExecStart=.* start$/m)
  expect(unit).toMatch(/^Environment=.*SERVICE_HEALTH_PORT=8081$/m)
})
