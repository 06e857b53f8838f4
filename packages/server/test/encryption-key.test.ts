import { hash } from 'node:crypto'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { readConfig } from '../src/core/config.ts'
import { hasKey, readKeys } from '../src/encryption/encryption-key.ts'
import { createServer, type ServerOptions } from '../src/index.ts'
import { runHere } from './cli-in-process.ts'
import { collectedLog } from './collected-log.ts'
import { startReceiver } from './delivery/receiver.ts'
import { freshDirectory } from './fresh-directory.ts'
import { inboundOf } from './inbound/inbound-site.ts'
import { manualClock } from './manual-clock.ts'
import { createStorage, onEveryStore, type StoreName } from './on-every-store.ts'
import { onDisk } from './tables.ts'

const keyText = 'the key of this database, of enough characters'
const otherText = 'another key, which is also of enough characters'

/** As stored in the database. */
const fingerprint = (text: string) => hash('sha256', hash('sha256', text, 'buffer')).slice(0, 16)

/** A platform without deliveries, with the secrets of a subscription, a Git provider, and a lead source. */
async function usedPlatform(store: StoreName) {
  const { options, remove } = await createStorage(store)
  onTestFinished(remove)
  const place: ServerOptions = { ...options, clock: manualClock(), rateLimit: 'off', egressAllow: ['127.0.0.1'] }
  const receiver = await startReceiver()
  await using server = await createServer({ ...place, encryptionKey: keyText })
  const { id: workspace_id } = await server.admin.workspaces.create({ name: 'Acme' })
  const subscription = await server.admin.webhooks.create(
    { workspace: workspace_id },
    { url: receiver.url, events: ['*'], headers: { 'x-tenant': 'acme' } },
  )
  await server.admin.integrations.update(
    { workspace: workspace_id, integration: 'github' },
    { enabled: true, secret: 'the secret' },
  )
  await server.admin.leadSources.update({ workspace: workspace_id, source: 'whatsapp' }, { enabled: true })
  await server.admin.leadSources.rotateSecret({ workspace: workspace_id, source: 'whatsapp' })
  return { place, workspace_id, receiver, at: { workspace: workspace_id, id: subscription.id } }
}

onEveryStore(
  'a database opened with another key',
  (_start, store) => {
    test('is refused before serving, with the expected key and a remedy', async () => {
      const { place } = await usedPlatform(store)
      await expect(createServer({ ...place, encryptionKey: otherText })).rejects.toThrow(
        `encrypted with the key whose fingerprint is ${fingerprint(keyText)}, and the one in encryptionKey (SERVICE_ENCRYPTION_KEY) has ${fingerprint(otherText)}. Restore that key from a backup as encryptionKey (SERVICE_ENCRYPTION_KEY), or add it to previousEncryptionKeys (SERVICE_PREVIOUS_ENCRYPTION_KEYS). If it is lost, start once with --accept-lost-key (acceptLostKey): it disables the webhooks and integrations whose URLs, headers, or secrets cannot be read`,
      )
      await expect(createServer(place)).rejects.toThrow('is missing. Restore that key from a backup')
      await using server = await createServer({ ...place, encryptionKey: keyText })
      expect((await server.admin.workspaces.list()).data.toReversed()).toHaveLength(1)
    })

    test('is refused to all but one of several servers that start at once on an empty database with different keys', async () => {
      const { options, remove } = await createStorage(store)
      onTestFinished(remove)
      const starts = await Promise.allSettled(
        [keyText, otherText].map((encryptionKey) => createServer({ ...options, encryptionKey })),
      )
      const started = starts.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []))
      for (const server of started) await server.close()
      expect(started).toHaveLength(1)
    })

    test('starts with acceptLostKey: unreadable items are disabled with a warning and work again with new secrets', async () => {
      const { place, workspace_id, at, receiver } = await usedPlatform(store)
      const log = collectedLog()
      const accepting = { ...place, encryptionKey: otherText, acceptLostKey: true, log }
      await using server = await createServer(accepting)
      expect(log.lines.map(({ sentence }) => sentence)).toEqual([
        'Subscription 1 is disabled: its encryption key was lost.',
        `The github integration of workspace ${workspace_id} is disabled because its encryption key was lost.`,
        `The lead source whatsapp of workspace ${workspace_id} needs a new secret: its encryption key was lost.`,
      ])
      expect(await server.admin.webhooks.get(at)).toMatchObject({
        enabled: false,
        disabled_reason: 'encryption_key_lost',
        header_names: [],
        url: null,
      })
      await server.admin.tickets.create({ workspace: workspace_id }, { title: 'Kept' })
      await server.deliveries.runDue()
      const error = expect.stringContaining('The encryption key of this subscription was lost.')
      expect((await server.admin.deliveries.list({ workspace: workspace_id })).data).toMatchObject([
        { state: 'held', error },
      ])
      const { git } = inboundOf({ server, workspaceId: workspace_id, clock: manualClock() }, {})
      expect((await git.send('github', 'push', {}).safe()).meta.status).toBe(404)
      const { data: sources } = await server.admin.leadSources.list({ workspace: workspace_id })
      expect(sources.filter(({ has_secret }) => has_secret)).toEqual([])
      await expect(
        server.admin.integrations.update({ workspace: workspace_id, integration: 'github' }, { enabled: true }),
      ).rejects.toMatchObject({
        errors: { secret: [expect.stringContaining('was lost')] },
      })
      await expect(server.admin.webhooks.enable(at)).rejects.toMatchObject({
        errors: { secret: ['The encryption key of this subscription was lost. Rotate the secret.'] },
      })
      const { secret } = await server.admin.webhooks.rotateSecret(at, {})
      await expect(server.admin.webhooks.enable(at)).rejects.toMatchObject({
        errors: { headers: ['The encryption key of this subscription was lost. Set the headers again.'] },
      })
      await server.admin.webhooks.update(at, { headers: { 'x-tenant': 'acme' } })
      await expect(server.admin.webhooks.enable(at)).rejects.toMatchObject({
        errors: { url: ['The encryption key of this subscription was lost. Set the url again.'] },
      })
      await server.admin.webhooks.update(at, { url: receiver.url })
      expect(await server.admin.webhooks.enable(at)).toMatchObject({
        enabled: true,
        header_names: ['x-tenant'],
      })
      receiver.expects({ url: `${receiver.url}/`, secret, encoding: 'hex', standard_webhooks: false })
      await server.admin.tickets.create({ workspace: workspace_id }, { title: 'Sent' })
      await server.deliveries.runDue()
      expect(receiver.received).toHaveLength(1)
      await server.close()
      await using next = await createServer({ ...place, encryptionKey: otherText })
      expect(await next.admin.webhooks.get(at)).toMatchObject({ enabled: true })
    })
  },
  onDisk,
)

onEveryStore(
  'a data directory',
  (_start, store) => {
    test('without its key file is refused, and no new key is created', async () => {
      const { options, remove } = await createStorage(store)
      onTestFinished(remove)
      await (await createServer(options)).close()
      const path = join(options.data ?? '', 'encryption.key')
      const text = (await readFile(path, 'utf8')).trim()
      await rm(path)
      const refused = `whose fingerprint is ${fingerprint(text)}, and ${path} is missing.`
      await expect(createServer(options)).rejects.toThrow(refused)
      await expect(createServer(options)).rejects.toThrow(refused)
      await writeFile(path, otherText, { mode: 0o600 })
      await expect(createServer(options)).rejects.toThrow(`the one in ${path} has ${fingerprint(otherText)}.`)
      await rm(path)
      await (await createServer({ ...options, acceptLostKey: true })).close()
      await (await createServer(options)).close()
    })
  },
  ['sqlite'],
)

onEveryStore(
  'of two nodes',
  (_start, store) => {
    test('one rotates the key of their shared file while both encrypt, decrypt, and sign', async () => {
      const { options, remove } = await createStorage(store)
      onTestFinished(remove)
      const encryptionKeyFile = join(await freshDirectory(), 'key')
      const place: ServerOptions = { ...options, encryptionKeyFile, rateLimit: 'off', egressAllow: ['127.0.0.1'] }
      const receiver = await startReceiver()
      await using one = await createServer(place)
      await using other = await createServer(place)
      const { id: workspace } = await one.admin.workspaces.create({ name: 'Acme' })
      const at = { workspace }
      const urls: string[] = []
      const subscribe = async (server: typeof one) => {
        const url = `${receiver.url}/${urls.length}`
        urls.push(url)
        const { secret } = await server.admin.webhooks.create(at, { url, events: ['ticket.created'] })
        receiver.expects({ url, secret, encoding: 'hex', standard_webhooks: false })
      }
      for (let count = 0; count < 110; count += 1) await subscribe(one)
      const key = await readFile(encryptionKeyFile, 'utf8')
      await one.admin.encryptionKey.rotate()
      for (let remaining = 1; remaining > 0; ) {
        await Promise.all([subscribe(other), subscribe(one)])
        remaining = (await one.admin.encryptionKey.reencrypt()).remaining
      }
      const rotated = await readFile(encryptionKeyFile, 'utf8')
      expect(rotated).not.toContain(key.trim())
      await subscribe(other)
      await one.admin.tickets.create(at, { title: 'A' })
      await Promise.all([one.deliveries.runDue(), other.deliveries.runDue()])
      expect(receiver.received.map(({ path }) => path).toSorted()).toEqual(
        urls.map((url) => new URL(url).pathname).toSorted(),
      )
      await using third = await createServer(place)
      const listed = await third.admin.webhooks.list(at, { limit: 200 })
      expect(listed.data.map(({ url }) => url).toSorted()).toEqual(urls.toSorted())
    })

    test('of several servers, those without the key of a rotation store no secrets, and all read those of the others', async () => {
      const { options, remove } = await createStorage(store)
      onTestFinished(remove)
      await using behind = await createServer({ ...options, encryptionKey: keyText })
      const { id: workspace } = await behind.admin.workspaces.create({ name: 'Acme' })
      const created = { url: 'https://a.example/x', events: ['*' as const] }
      const settings = { encryptionKey: otherText, previousEncryptionKeys: [keyText] }
      {
        await using ahead = await createServer({ ...options, ...settings })
        const { id } = await ahead.admin.webhooks.create({ workspace }, created)
        expect(await behind.admin.webhooks.get({ workspace, id })).toMatchObject({ url: created.url })
        await ahead.admin.encryptionKey.rotate()
        expect((await ahead.admin.encryptionKey.reencrypt()).remaining).toBe(0)
      }
      await expect(behind.admin.webhooks.create({ workspace }, created)).rejects.toMatchObject({
        status: 503,
        message: expect.stringContaining(fingerprint(otherText)),
      })
      await using alone = await createServer({ ...options, encryptionKey: otherText })
      await alone.admin.webhooks.create({ workspace }, created)
      const { data } = await alone.admin.webhooks.list({ workspace })
      expect(data.map(({ url }) => url)).toEqual([created.url, created.url])
    })

    test('of several servers, those without the key of a rotation leave deliveries to the others at once, with one log line', async () => {
      const { options, remove } = await createStorage(store)
      onTestFinished(remove)
      const place: ServerOptions = { ...options, rateLimit: 'off', egressAllow: ['127.0.0.1'] }
      const ahead = { ...place, encryptionKey: otherText, previousEncryptionKeys: [keyText] }
      const log = collectedLog()
      await using behind = await createServer({ ...place, encryptionKey: keyText, log })
      const { id: workspace } = await behind.admin.workspaces.create({ name: 'Acme' })
      const receiver = await startReceiver()
      {
        await using rotating = await createServer(ahead)
        const created = { url: receiver.url, events: ['ticket.created' as const] }
        const { secret } = await rotating.admin.webhooks.create({ workspace }, created)
        receiver.expects({ url: receiver.url, secret, encoding: 'hex', standard_webhooks: false })
        await rotating.admin.encryptionKey.rotate()
        expect((await rotating.admin.encryptionKey.reencrypt()).remaining).toBe(0)
      }
      for (const title of ['A', 'B', 'C']) {
        await behind.admin.tickets.create({ workspace }, { title })
        await behind.deliveries.runDue()
      }
      const failures = log.lines.filter(({ sentence }) =>
        sentence.startsWith('Cannot read the secrets of subscription'),
      )
      expect([failures.length, receiver.received.length]).toEqual([1, 0])
      await using other = await createServer(ahead)
      await other.deliveries.runDue()
      expect(receiver.received).toHaveLength(3)
    })
  },
  ['postgres'],
)

onEveryStore(
  'a key that was declared lost and is found',
  (_start, store) => {
    async function lostKey() {
      const { options, remove } = await createStorage(store)
      onTestFinished(remove)
      const path = join(await freshDirectory(), 'encryption.key')
      const place: ServerOptions = { ...options, clock: manualClock(), encryptionKeyFile: path }
      await writeFile(path, keyText, { mode: 0o600 })
      const at = await (async () => {
        await using server = await createServer(place)
        const { id: workspace } = await server.admin.workspaces.create({ name: 'Acme' })
        const { id } = await server.admin.webhooks.create({ workspace }, { url: 'https://a.example/x', events: ['*'] })
        return { workspace, id }
      })()
      await rm(path)
      await (await createServer({ ...place, acceptLostKey: true })).close()
      return { place, path, at }
    }

    test.each([
      ['as a previous key', async () => ({ previousEncryptionKeys: [keyText] })],
      [
        'next to the new key, under its fingerprint',
        async (path: string) => {
          await writeFile(`${path}.${fingerprint(keyText)}`, keyText, { mode: 0o600 })
          return {}
        },
      ],
      [
        'as a second line of the key file',
        async (path: string) => {
          await writeFile(path, `${(await readFile(path, 'utf8')).trim()}\n${keyText}\n`)
          return {}
        },
      ],
    ])('decrypts again %s, and a rotation makes it superfluous', async (_, bring) => {
      const { place, path, at } = await lostKey()
      {
        await using without = await createServer(place)
        expect(await without.admin.webhooks.get(at)).toMatchObject({ url: null, enabled: false })
      }
      {
        await using server = await createServer({ ...place, ...(await bring(path)) })
        expect(await server.admin.webhooks.get(at)).toMatchObject({ url: 'https://a.example/x', enabled: false })
        expect(await server.admin.webhooks.enable(at)).toMatchObject({ enabled: true })
        expect((await server.admin.encryptionKey.rotate()).remaining).toBe(2)
        expect((await server.admin.encryptionKey.reencrypt()).remaining).toBe(0)
      }
      await rm(`${path}.${fingerprint(keyText)}`, { force: true })
      await using server = await createServer(place)
      expect(await server.admin.webhooks.get(at)).toMatchObject({ url: 'https://a.example/x', enabled: true })
    })

    test.each(['as a previous key', 'under its fingerprint'])(
      'is written again if its file is missing, but it is there %s',
      async (where) => {
        const { place, path, at } = await lostKey()
        const current = (await readFile(path, 'utf8')).trim()
        await rm(path)
        const isPrevious = where === 'as a previous key'
        if (!isPrevious) await writeFile(`${path}.${fingerprint(current)}`, current, { mode: 0o600 })
        const options = { ...place, ...(isPrevious && { previousEncryptionKeys: [current] }) }
        expect(hasKey(readConfig({ ...options }), fingerprint(current))).toBe(true)
        await (await createServer(options)).close()
        expect((await readFile(path, 'utf8')).trim()).toBe(current)
        await using server = await createServer(place)
        expect(await server.admin.webhooks.get(at)).toMatchObject({ url: null, enabled: false })
      },
    )

    test('leaves secrets that doctor counts', async () => {
      const { place, path } = await lostKey()
      const doctor = await runHere(['doctor'], {
        SERVICE_DATA: place.data ?? (await freshDirectory()),
        SERVICE_ENCRYPTION_KEY_FILE: path,
        ...(place.databaseUrl !== undefined && { SERVICE_DATABASE_URL: String(place.databaseUrl) }),
      })
      expect(doctor.stdout).toMatch(/secrets +problem +2 are encrypted with other keys/)
    })

    test('stays lost if its file contains another one, which doctor reports with the path', async () => {
      const { place, path, at } = await lostKey()
      const file = `${path}.${fingerprint(keyText)}`
      await writeFile(file, otherText, { mode: 0o600 })
      await using server = await createServer(place)
      expect(await server.admin.webhooks.get(at)).toMatchObject({ url: null })
      expect(() => readKeys(readConfig({ ...place }))?.fingerprints()).toThrow(
        `${file} contains the key with the fingerprint ${fingerprint(otherText)}.`,
      )
    })

    test('can also replace the new key, when it is restored under the old name', async () => {
      const { place, path, at } = await lostKey()
      const current = (await readFile(path, 'utf8')).trim()
      await writeFile(path, keyText)
      await expect(createServer(place)).rejects.toThrow(
        `Restore that key from a backup as ${path}, or as ${path}.${fingerprint(current)}, or add it to`,
      )
      await using server = await createServer({ ...place, previousEncryptionKeys: [current] })
      expect(await server.admin.webhooks.enable(at)).toMatchObject({ enabled: true })
    })

    test('a rotation that cannot write the key file names its path', async () => {
      const { place, path } = await lostKey()
      await using server = await createServer(place)
      await rm(dirname(path), { recursive: true })
      await expect(Promise.resolve(server.admin.encryptionKey.rotate())).rejects.toMatchObject({
        status: 503,
        message: expect.stringContaining(path),
      })
    })
  },
  onDisk,
)
