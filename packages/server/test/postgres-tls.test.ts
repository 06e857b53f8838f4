import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { connect, createServer as createTcpServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { TLSSocket } from 'node:tls'
import { expect, inject, onTestFinished, test } from 'vitest'
import { createServer } from '../src/index.ts'
import { runHere } from './cli-in-process.ts'
import { collectedLog } from './collected-log.ts'
import { freshDirectory } from './fresh-directory.ts'
import { listenInTest } from './listen-in-test.ts'
import { createDatabase } from './postgres-databases.ts'
import { call, seedWorkspace } from './workspace.ts'

// PostgreSQL answers through a proxy that ends TLS, because the database of the tests has no certificate.

interface Certificate {
  readonly certFile: string
  readonly keyFile: string
}

/** A certificate that signs itself. `days` below zero makes an expired one. */
async function makeCertificate({ names = 'IP:127.0.0.1', days = 2 } = {}): Promise<Certificate> {
  const folder = await freshDirectory()
  const [keyFile, certFile] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
  const run = (...words: string[]) => execFileSync('openssl', words, { stdio: 'pipe' })
  const subject = ['-subj', '/CN=database', '-addext', `subjectAltName=${names}`]
  const algorithm = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes']
  run('req', '-x509', '-days', '2', ...algorithm, ...subject, '-keyout', keyFile, '-out', certFile)
  if (days < 0) run('x509', '-in', certFile, '-days', String(days), '-signkey', keyFile, '-out', certFile)
  return { certFile, keyFile }
}

async function startTlsDatabase(first: Certificate) {
  const { url, drop } = await createDatabase(inject('postgresUrl'))
  const { hostname, port } = new URL(url)
  let certificate = first
  const sockets = new Set<Socket>()
  const proxy = createTcpServer((near) => {
    sockets.add(near.on('error', () => undefined))
    // The request for TLS, which PostgreSQL accepts with one letter.
    near.once('data', () => {
      near.write('S')
      const { certFile, keyFile } = certificate
      const secure = new TLSSocket(near, { isServer: true, cert: readFileSync(certFile), key: readFileSync(keyFile) })
      const far = connect(Number(port), hostname)
      far.on('error', () => undefined).on('close', () => near.destroy())
      secure.on('error', () => undefined).on('close', () => far.destroy())
      secure.pipe(far).pipe(secure)
    })
  })
  const breakConnections = () => {
    for (const socket of sockets) socket.destroy()
  }
  onTestFinished(async () => {
    breakConnections()
    await drop()
  })
  const proxyPort = await listenInTest(proxy)
  return {
    url,
    where: `127.0.0.1:${proxyPort}`,
    urlWith(parameters: Readonly<Record<string, string>>) {
      const through = new URL(url)
      through.port = String(proxyPort)
      through.search = String(new URLSearchParams({ sslmode: 'verify-full', ...parameters }))
      return through.href
    },
    /** Breaks all connections. */
    replaceCertificate(next: Certificate) {
      certificate = next
      breakConnections()
    },
  }
}

test('a rejected certificate is explained by its cause: other names, an expiry, an unknown authority, or a wrong file', async () => {
  const [named, expired, other] = await Promise.all([
    makeCertificate({ names: 'DNS:localhost' }),
    makeCertificate({ days: -1 }),
    makeCertificate(),
  ])
  const empty = join(await freshDirectory(), 'empty.crt')
  writeFileSync(empty, 'none\n')
  const database = await startTlsDatabase(named)
  const certificate = `The certificate of PostgreSQL at ${database.where}`
  const cases = [
    [
      named,
      { sslrootcert: named.certFile },
      `${certificate} is for other hosts: DNS:localhost (ERR_TLS_CERT_ALTNAME_INVALID). Use one of these in the database URL, or a certificate for this host.`,
    ],
    [
      expired,
      { sslrootcert: expired.certFile },
      `${certificate}, or that of its authority, is not valid at this time (CERT_HAS_EXPIRED). Renew it, or correct the clock of this machine.`,
    ],
    [
      other,
      {},
      `${certificate} is not from an authority that this machine trusts (DEPTH_ZERO_SELF_SIGNED_CERT). Add sslrootcert=<file> with the certificate of its authority to the database URL.`,
    ],
    [
      other,
      { sslrootcert: named.certFile },
      `${certificate} is not from the authority in ${named.certFile} (DEPTH_ZERO_SELF_SIGNED_CERT). Set sslrootcert in the database URL to the certificate of its authority.`,
    ],
    [
      other,
      { sslrootcert: empty },
      `${empty}, which sslrootcert in the database URL names, has no certificate in PEM format.`,
    ],
    [
      other,
      { sslrootcert: other.certFile, sslcert: empty, sslkey: empty },
      'The files of sslcert and sslkey in the database URL cannot be used (ERR_OSSL_PEM_NO_START_LINE). They must be a certificate in PEM format and its private key.',
    ],
  ] as const
  for (const [certificate, parameters, sentence] of cases) {
    database.replaceCertificate(certificate)
    const databaseUrl = database.urlWith(parameters)
    await expect(createServer({ databaseUrl })).rejects.toThrow(sentence)
    expect((await runHere(['doctor', '--database-url', databaseUrl])).stdout).toContain(sentence)
  }
})

test('a rejected certificate of a pooler prevents the start, although PostgreSQL itself answers', async () => {
  const [trusted, other] = [await makeCertificate(), await makeCertificate()]
  const pooler = await startTlsDatabase(other)
  const databaseUrl = pooler.urlWith({ sslrootcert: trusted.certFile })
  await expect(createServer({ databaseUrl, databaseDirectUrl: pooler.url })).rejects.toThrow(
    `The certificate of PostgreSQL at ${pooler.where} is not from the authority in ${trusted.certFile}`,
  )
})

test('a server whose database gets a certificate of another authority refuses requests with 503, and logs the cause', async () => {
  const [trusted, other] = [await makeCertificate(), await makeCertificate()]
  const database = await startTlsDatabase(trusted)
  const log = collectedLog()
  const databaseUrl = database.urlWith({ sslrootcert: trusted.certFile })
  await using server = await createServer({ databaseUrl, log, rateLimit: 'off' })
  const { workspace, token } = await seedWorkspace(server)
  const list = () => call(server, { path: `/api/v1/workspaces/${workspace.id}/projects`, token })
  expect((await list()).status).toBe(200)
  database.replaceCertificate(other)
  // At once, so that most of them open a connection before the outage is known.
  const refused = await Promise.all(Array.from({ length: 8 }, list))
  expect(new Set(refused.map(({ status }) => status))).toEqual(new Set([503]))
  await expect
    .poll(() => log.lines.find(({ sentence }) => sentence === 'The database does not answer.')?.fields['fault'])
    .toBe(
      `The certificate of PostgreSQL at ${database.where} is not from the authority in ${trusted.certFile} (DEPTH_ZERO_SELF_SIGNED_CERT). Set sslrootcert in the database URL to the certificate of its authority.`,
    )
  database.replaceCertificate(trusted)
  await expect.poll(async () => (await list()).status).toBe(200)
})
