import { execFile } from 'node:child_process'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { appendFile, chmod, chown, mkdtemp, rm } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { freePort, listenOnFreePort } from '../test/free-port.ts'

/** A primary and a synchronous standby behind one address, as HAProxy provides it in front of Patroni. */
export interface ReplicatedPostgres {
  /** Leads to the primary. */
  readonly url: string
  killPrimary(): void
  /** Promotes the standby. Resolves when it accepts writes and the address leads to it. */
  promote(): Promise<void>
  remove(): Promise<void>
}

const run = promisify(execFile)

function findPrograms(): string {
  const [found] = globSync('/usr/lib/postgresql/*/bin').filter((path) => existsSync(join(path, 'pg_basebackup')))
  if (found === undefined) throw new Error('There is no pg_basebackup. Install it: apt-get install -y postgresql')
  return found
}

/** PostgreSQL refuses to run as root. */
async function unprivileged(): Promise<{ uid?: number; gid?: number }> {
  if (process.getuid?.() !== 0) return {}
  const idOf = async (flag: string) => Number((await run('id', [flag, 'postgres'])).stdout)
  return { uid: await idOf('-u'), gid: await idOf('-g') }
}

export async function startReplicatedPostgres(): Promise<ReplicatedPostgres> {
  const programs = findPrograms()
  const user = await unprivileged()
  const directory = await mkdtemp(join(tmpdir(), 'service-failover-'))
  if (user.uid !== undefined) await chown(directory, user.uid, user.gid ?? 0)
  await chmod(directory, 0o700)
  const call = (name: string, ...args: string[]) => run(join(programs, name), args, { ...user, cwd: directory })
  const [primary, standby] = [join(directory, 'primary'), join(directory, 'standby')]
  const [primaryPort, standbyPort] = [await freePort(), await freePort()]
  const configure = (data: string, settings: readonly string[]) =>
    appendFile(join(data, 'postgresql.conf'), `${settings.join('\n')}\n`)
  const start = (data: string) => call('pg_ctl', '-D', data, '-l', join(directory, 'log'), '-w', 'start')
  const shared = ["listen_addresses = '127.0.0.1'", "unix_socket_directories = ''"]
  await call('initdb', '-D', primary, '-U', 'postgres', '--auth=trust')
  await configure(primary, [...shared, `port = ${primaryPort}`, "synchronous_standby_names = '*'"])
  await start(primary)
  const source = ['-h', '127.0.0.1', '-p', String(primaryPort), '-U', 'postgres']
  await call('pg_basebackup', '-D', standby, '-R', '-X', 'stream', ...source)
  await configure(standby, [`port = ${standbyPort}`, "synchronous_standby_names = ''"])
  await start(standby)
  let target = primaryPort
  const server = createServer((near) => {
    const far = connect(target, '127.0.0.1')
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const)
      one
        .on('error', () => undefined)
        .on('close', () => other.destroy())
        .pipe(other)
  })
  const port = await listenOnFreePort(server)
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    killPrimary: () =>
      void process.kill(Number(readFileSync(join(primary, 'postmaster.pid'), 'utf8').split('\n')[0]), 'SIGKILL'),
    async promote() {
      await call('pg_ctl', '-D', standby, '-w', 'promote')
      target = standbyPort
    },
    async remove() {
      server.close()
      for (const data of [primary, standby])
        await call('pg_ctl', '-D', data, '-m', 'immediate', 'stop').catch(() => undefined)
      await rm(directory, { recursive: true, force: true, maxRetries: 10 })
    },
  }
}
