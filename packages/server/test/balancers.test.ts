import { type ChildProcess, spawn } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { codeIn } from '../../../test/docs/page.ts'
import { readRepoFile } from '../../../test/tooling/repo.ts'
import { createServer } from '../src/index.ts'
import { runCli } from './cli-process.ts'
import { freePort } from './free-port.ts'
import { freshDirectory } from './fresh-directory.ts'
import { installedProgram } from './installed-program.ts'

// The platform behind a real HAProxy and a real nginx, with the lines of docs/self-hosting.md.

function running(child: ChildProcess): void {
  onTestFinished(() => void child.kill('SIGKILL'))
}

interface Check {
  readonly status: string
  readonly check_status: string
  readonly check_code: string
}

/** Starts HAProxy with these lines in its backend. Returns how HAProxy sees the server, and its own address. */
async function startHaproxy(serverPort: number, backend: readonly string[]) {
  const [port, statsPort] = [await freePort(), await freePort()]
  const path = join(await freshDirectory(), 'haproxy.cfg')
  await writeFile(
    path,
    `defaults
  mode http
  timeout connect 5s
  timeout client 5s
  timeout server 5s
frontend desk
  bind 127.0.0.1:${port}
  default_backend servers
backend servers
${backend.map((line) => `  ${line}\n`).join('')}  server a 127.0.0.1:${serverPort} check inter 100ms
frontend stats
  bind 127.0.0.1:${statsPort}
  stats enable
  stats uri /
`,
  )
  const haproxy = await installedProgram({ paths: ['/usr/sbin/haproxy'], debianPackage: 'haproxy' })
  running(spawn(haproxy, ['-db', '-f', path], { stdio: 'ignore' }))
  const look = async (): Promise<Check | undefined> => {
    const csv = await fetch(`http://127.0.0.1:${statsPort}/;csv`).then(
      (response) => response.text(),
      () => '',
    )
    const [head = '', ...lines] = csv.replace(/^# /, '').split('\n')
    const row = lines.find((line) => line.startsWith('servers,a,'))?.split(',')
    return row && (Object.fromEntries(head.split(',').map((name, at) => [name, row[at] ?? ''])) as unknown as Check) // its columns
  }
  return { url: `http://127.0.0.1:${port}`, look }
}

test.each([
  ['without a configured check', ['option httpchk']],
  ['with a check of /readyz', ['option httpchk GET /readyz']],
])('HAProxy %s sees the server up, and down while it drains', async (_, backend) => {
  const port = await freePort()
  const settings = { SERVICE_DRAIN_DELAY_MS: '60000', SERVICE_LOG: 'off' }
  const server = runCli(['start', '--json', '--port', `${port}`, '--data', await freshDirectory()], settings)
  await server.firstLine
  const { url: outside, look } = await startHaproxy(port, backend)
  await expect.poll(look).toMatchObject({ status: 'UP', check_status: 'L7OK', check_code: '200' })
  expect((await fetch(`${outside}/livez`)).status).toBe(200)
  server.child.kill('SIGTERM')
  await expect.poll(look).toMatchObject({ status: 'DOWN', check_status: 'L7STS', check_code: '503' })
  expect((await fetch(`http://127.0.0.1:${port}/livez`)).status).toBe(200)
})

/** Starts nginx with this location, and returns how to get the status and the body of a path. */
async function startNginx(location: string, outside: number) {
  const folder = await freshDirectory()
  await mkdir(join(folder, 'logs'))
  const path = join(folder, 'nginx.conf')
  await writeFile(
    path,
    `daemon off; pid ${folder}/nginx.pid; error_log stderr;
events {}
http {
  access_log off;
  client_body_temp_path ${folder}/body; proxy_temp_path ${folder}/proxy; fastcgi_temp_path ${folder}/fastcgi;
  uwsgi_temp_path ${folder}/uwsgi; scgi_temp_path ${folder}/scgi;
  server { listen 127.0.0.1:${outside}; ${location} }
}
`,
  )
  const binary = await installedProgram({ paths: ['/usr/sbin/nginx'], debianPackage: 'nginx-light' })
  const nginx = spawn(binary, ['-p', folder, '-c', path], { stdio: 'ignore' })
  running(nginx)
  return (target: string) =>
    fetch(`http://127.0.0.1:${outside}${target}`, { redirect: 'manual' }).then(
      async (answer) => ({ status: answer.status, to: answer.headers.get('location'), body: await answer.text() }),
      () => ({ status: 0, to: null, body: '' }),
    )
}

test('nginx with its default settings, which speak HTTP/1.0, passes requests on', async () => {
  await using server = await createServer()
  const { port } = await server.listen()
  const get = await startNginx(
    `location / { proxy_pass http://127.0.0.1:${port}; proxy_set_header Host ""; }`,
    await freePort(),
  )
  await expect.poll(async () => (await get('/readyz')).status).toBe(200)
  expect((await get('/openapi.json')).status).toBe(200)
  expect((await get('/api/v1/workspaces/1/tickets')).status).toBe(401)
})

test('a platform below a path answers there, and its pages link to that path, with the documented lines for nginx', async () => {
  const outside = await freePort()
  await using server = await createServer({ publicUrl: `http://127.0.0.1:${outside}/desk`, adminToken: 'a'.repeat(30) })
  const { port } = await server.listen()
  const [usual = '', below = ''] = codeIn(readRepoFile('docs/self-hosting.md'), 'nginx')
  const otherLines = usual.split('\n').filter((line) => !/proxy_pass|^location|^\}/.test(line))
  const location = below.replace('# … the other lines', otherLines.join('\n')).replaceAll(':8080', `:${port}`)
  const get = await startNginx(location, outside)
  await expect.poll(async () => (await get('/desk/readyz')).status).toBe(200)
  expect((await get('/desk/api/v1/workspaces/1/tickets')).status).toBe(401)
  const { to } = await get('/desk/dashboard')
  expect(to).toMatch(/^\/desk\/dashboard\/sign-in/)
  const { status, body } = await get(new URL(`${to}`, `http://127.0.0.1:${outside}`).pathname)
  expect(status).toBe(200)
  const links = [...body.matchAll(/ (?:href|src|action)="([^"#]+)"/g)].map(([, link = '']) => link)
  expect(links.length).toBeGreaterThan(1)
  expect(links.filter((link) => !link.startsWith('/desk/'))).toEqual([])
  for (const link of links) expect((await get(link.split('?')[0] ?? '')).status, link).toBeLessThan(400)
})
