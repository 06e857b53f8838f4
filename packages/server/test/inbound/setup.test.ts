import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { hashSecret } from '../../src/core/ids.ts'
import { createServer } from '../../src/index.ts'
import { collectedLog } from '../collected-log.ts'
import { manualClock } from '../manual-clock.ts'
import { createStorage, onEveryStore } from '../on-every-store.ts'
import { onDisk, openTables, startWithTables } from '../tables.ts'
import { everyRow } from './all-rows.ts'
import { encryptionKey, inboundOf, siteIn, startSite } from './inbound-site.ts'

onEveryStore('enabling and disabling integrations', (start) => {
  test('shows a secret only when it is issued, and keeps it while the integration is disabled', async () => {
    const site = await startSite(start)
    const workspace = site.workspaceId
    const { integrations } = site.server.admin
    const errors = { workspace, integration: 'errors' } as const
    expect(await integrations.get(errors)).toEqual({
      integration: 'errors',
      enabled: false,
      mapping: null,
      time_zone: null,
      timestamp_format: null,
      max_new_tickets: 20,
      has_secret: false,
      open_tickets: false,
      min_level: null,
      resolve_tickets: false,
      updated_at: null,
    })
    const { secret, ...shown } = await integrations.rotateSecret(errors)
    expect(secret).toMatch(/^whs_[\w-]{43}$/)
    expect(shown).toMatchObject({ integration: 'errors', enabled: true, has_secret: true })
    expect(await integrations.get(errors)).toEqual(shown)
    expect(await integrations.update(errors, { enabled: false })).toMatchObject({ enabled: false, has_secret: true })
    expect(await integrations.rotateSecret(errors)).toMatchObject({ enabled: false })
    expect(await integrations.update(errors, { enabled: true })).toMatchObject({ enabled: true, has_secret: true })
    const { secret: newest } = await integrations.rotateSecret(errors)
    const { errors: reports } = inboundOf(site, { secrets: { errors: newest } })
    expect((await reports.report({ message: 'm' })).received).toBe(true)
  })

  test.each(['attendance', 'errors'] as const)('shows the secret of %s once, when a PATCH enables it', async (name) => {
    const site = await startSite(start)
    const ref = { workspace: site.workspaceId, integration: name } as const
    const { integrations } = site.server.admin
    expect(await integrations.update(ref, { enabled: false })).not.toHaveProperty('secret')
    const { secret = '', ...shown } = await integrations.update(ref, { enabled: true })
    expect(secret).toMatch(/^whs_[\w-]{43}$/)
    expect(shown).toMatchObject({ enabled: true, has_secret: true })
    expect(await integrations.get(ref)).toEqual(shown)
    for (const enabled of [true, false, true])
      expect(await integrations.update(ref, { enabled })).not.toHaveProperty('secret')
    const { attendance, errors } = inboundOf(site, { secrets: { [name]: secret } })
    const sent = name === 'errors' ? errors.report({ message: 'm' }) : attendance.punch({ employee_code: 'E-404' })
    expect((await sent.safe()).meta.status).toBe(name === 'errors' ? 200 : 422)
  })

  test('issues the first secret of a lead source that is enabled, unless its platform issues it', async () => {
    const site = await startSite(start)
    const { workspaceId: workspace } = site
    const { leadSources } = site.server.admin
    const website = { workspace, source: 'website' }
    const { secret = '', ...shown } = await leadSources.update(website, { enabled: true })
    expect(shown).toMatchObject({ enabled: true, has_secret: true })
    const inbound = inboundOf(site, { secrets: { leads: { website: secret } } })
    expect(await inbound.leads.capture('website', { name: 'Ana', email: 'a@b.example' })).toMatchObject({
      lead_created: true,
    })
    expect(await leadSources.update(website, { enabled: true })).not.toHaveProperty('secret')
    const linkedin = await leadSources.update({ workspace, source: 'linkedin' }, { enabled: true })
    expect(linkedin).toEqual({ source: 'linkedin', enabled: true, has_secret: false, mapping: null })
  })

  test('enables what has no secret yet with the first one, whatever was saved before', async () => {
    const site = await startSite(start)
    const { workspaceId: workspace } = site
    const { integrations, leadSources } = site.server.admin
    const fields = { message: 'text' }
    for (const [integration, patch] of [
      ['errors', { mapping: { fields } }],
      ['attendance', { time_zone: 'Europe/Berlin' }],
      ['github', { open_tickets: true }],
    ] as const) {
      expect(await integrations.update({ workspace, integration }, patch)).toMatchObject({ enabled: false })
      expect(await integrations.rotateSecret({ workspace, integration })).toMatchObject({ enabled: true })
    }
    const gitlab = { workspace, integration: 'gitlab' } as const
    await integrations.update(gitlab, { open_tickets: true })
    expect(await integrations.update(gitlab, { secret: 'a-secret-of-gitlab' })).toMatchObject({ enabled: true })
    for (const [source, first] of [
      ['website', () => leadSources.rotateSecret({ workspace, source: 'website' })],
      ['linkedin', () => leadSources.update({ workspace, source: 'linkedin' }, { secret: 'a-secret-of-linkedin' })],
    ] as const) {
      await leadSources.update({ workspace, source }, { mapping: { fields: { message: 'text' } } })
      expect(await first()).toMatchObject({ enabled: true })
      await leadSources.update({ workspace, source }, { enabled: false })
      expect(await leadSources.rotateSecret({ workspace, source })).toMatchObject({ enabled: false })
    }
  })

  test('lists all integrations, including those that are not set up', async () => {
    const site = await startSite(start)
    const { integrations } = site.server.admin
    await integrations.rotateSecret({ workspace: site.workspaceId, integration: 'attendance' })
    const { data } = await integrations.list({ workspace: site.workspaceId })
    expect(data.map(({ integration, enabled }) => [integration, enabled])).toEqual([
      ['errors', false],
      ['attendance', true],
      ['github', false],
      ['gitlab', false],
      ['bitbucket', false],
    ])
  })

  test('revokes the old secret immediately, and no other', async () => {
    const site = await startSite(start)
    const workspace = site.workspaceId
    const { integrations } = site.server.admin
    const old = await integrations.rotateSecret({ workspace, integration: 'errors' })
    const attendance = await integrations.rotateSecret({ workspace, integration: 'attendance' })
    const fresh = await integrations.rotateSecret({ workspace, integration: 'errors' })
    expect(new Set([old.secret, attendance.secret, fresh.secret]).size).toBe(3)
    const status = async (errors: string) =>
      (await inboundOf(site, { secrets: { errors } }).errors.report({ message: 'm' }).safe()).meta.status
    expect([await status(old.secret), await status(fresh.secret)]).toEqual([401, 200])
  })

  test('changes only the given settings of a Git provider', async () => {
    const site = await startSite(start)
    const { integrations } = site.server.admin
    const issue = (number: number) => ({ action: 'opened', issue: { number, title: 'T' }, repository: { id: 1 } })
    const github = { workspace: site.workspaceId, integration: 'github' } as const
    const given = { enabled: true, open_tickets: true, secret: 'the secret' }
    expect(await integrations.update(github, given)).toMatchObject({ has_secret: true, open_tickets: true })
    const unchanged = { integration: 'github', enabled: true, has_secret: true, open_tickets: true }
    expect(await integrations.update(github, {})).toMatchObject(unchanged)
    const signed = inboundOf(site, { secrets: { git: { github: 'the secret' } } }).git
    const unsigned = inboundOf(site).git
    expect(await signed.send('github', 'issues', issue(1))).toMatchObject({ ticket_created: true })
    expect((await unsigned.send('github', 'issues', issue(2)).safe()).meta.status).toBe(401)
    const open = { secret: null, open_tickets: false }
    expect(await integrations.update(github, open)).toMatchObject({ has_secret: false, open_tickets: false })
    expect(await unsigned.send('github', 'issues', issue(3))).toMatchObject({ stored: 1, ticket_created: false })
  })

  test('issues a secret for a Git provider, which then must sign its deliveries', async () => {
    const site = await startSite(start)
    const github = { workspace: site.workspaceId, integration: 'github' } as const
    const { secret } = await site.server.admin.integrations.rotateSecret(github)
    expect((await inboundOf(site).git.send('github', 'push', {}).safe()).meta.status).toBe(401)
    const { git } = inboundOf(site, { secrets: { git: { github: secret } } })
    expect((await git.send('github', 'push', {})).received).toBe(true)
  })

  test('refuses unknown values by field', async () => {
    const { server, workspaceId: workspace } = await startSite(start)
    const { integrations, leadSources, devices } = server.admin
    const invalid = { code: 'validation' }
    const missing = { code: 'not_found' }
    const errors = { workspace, integration: 'errors' } as const
    await expect(integrations.get({ workspace, integration: 'gitea' as never })).rejects.toMatchObject(missing)
    await expect(
      integrations.update({ workspace, integration: 'github' }, { enabled: true, secret: '' }),
    ).rejects.toMatchObject(invalid)
    await expect(integrations.update(errors, { secret: 'one of our own' })).rejects.toMatchObject({
      code: 'validation',
      errors: { secret: ['The server issues this secret. Use rotate-secret to replace it.'] },
    })
    await expect(integrations.update(errors, { open_tickets: true })).rejects.toMatchObject({
      code: 'validation',
      errors: { open_tickets: ['The open_tickets field is for Git providers only.'] },
    })
    await expect(integrations.rotateSecret({ workspace: 999, integration: 'errors' })).rejects.toMatchObject(missing)
    await expect(devices.rotateSecret({ workspace, id: 999 })).rejects.toMatchObject(missing)
    expect(await leadSources.get({ workspace, source: 'website' })).toEqual({
      source: 'website',
      enabled: false,
      mapping: null,
      has_secret: false,
    })
    const { data } = await integrations.list({ workspace })
    expect(data.every(({ enabled, has_secret }) => !enabled && !has_secret)).toBe(true)
  })
})

onEveryStore(
  'secrets at rest',
  (_, store) => {
    test('are hashed if they are only compared, and encrypted if they must be read', async () => {
      const { server, tables } = await startWithTables(store, { rateLimit: 'off', encryptionKey })
      const site = await siteIn(server, manualClock())
      const workspace = site.workspaceId
      const { integrations, leadSources, devices } = server.admin
      const git = 'the secret of GitHub'
      await integrations.update({ workspace, integration: 'github' }, { enabled: true, secret: git })
      const errors = await integrations.rotateSecret({ workspace, integration: 'errors' })
      const website = await leadSources.rotateSecret({ workspace, source: 'website' })
      const linkedin = 'given by LinkedIn'
      await leadSources.update({ workspace, source: 'linkedin' }, { enabled: true, secret: linkedin })
      const device = await devices.create({ workspace }, { source_type: 'kiosk', device_name: 'K' })
      const written = JSON.stringify(await everyRow(tables, store))
      for (const secret of [errors.secret, website.secret, device.secret]) {
        expect(written).not.toContain(secret)
        expect(written).toContain(hashSecret(secret))
      }
      for (const secret of [git, linkedin, encryptionKey]) {
        expect(written).not.toContain(secret)
        expect(written).not.toContain(Buffer.from(secret).toString('base64').replace(/=+$/, ''))
      }
      const encrypted = await tables.rows(
        "select secret_encrypted, secret_hash from integrations where kind = 'github'",
      )
      expect(encrypted).toEqual([{ secret_encrypted: expect.stringMatching(/^v1\.[0-9a-f]{16}\./), secret_hash: null }])
    })

    test('survive a restart', async () => {
      const { options, remove } = await createStorage(store)
      onTestFinished(remove)
      const common = { ...options, rateLimit: 'off', encryptionKey } as const
      const first = await createServer(common)
      const { workspaceId } = await siteIn(first, manualClock())
      await first.admin.integrations.update(
        { workspace: workspaceId, integration: 'github' },
        { enabled: true, secret: 'the secret' },
      )
      await first.close()
      await using server = await createServer(common)
      const secrets = { git: { github: 'the secret' } }
      const { git } = inboundOf({ server, workspaceId, clock: manualClock() }, { secrets })
      expect((await git.send('github', 'push', {}).safe()).meta.status).toBe(200)
    })

    test('cannot be decrypted in another row', async () => {
      const { server, tables } = await startWithTables(store, { rateLimit: 'off', encryptionKey, log: collectedLog() })
      const site = await siteIn(server, manualClock())
      const workspace_id = site.workspaceId
      await server.admin.integrations.update(
        { workspace: workspace_id, integration: 'github' },
        { enabled: true, secret: 'known to many' },
      )
      await server.admin.integrations.update(
        { workspace: workspace_id, integration: 'bitbucket' },
        { enabled: true, secret: 'known to few' },
      )
      const [github] = await tables.rows("select secret_encrypted from integrations where kind = 'github'")
      await tables.rows(
        `update integrations set secret_encrypted = '${github?.['secret_encrypted']}' where kind = 'bitbucket'`,
      )
      const { git } = inboundOf(site, { secrets: { git: { bitbucket: 'known to many' } } })
      expect((await git.send('bitbucket', 'repo:push', {}).safe()).meta.status).toBe(500)
    })
  },
  onDisk,
)

onEveryStore(
  'the encryption key',
  (_, store) => {
    test('is created in the data directory, readable by its owner only, if none is configured', async () => {
      const { options, remove } = await createStorage(store)
      try {
        const server = await createServer({ ...options, rateLimit: 'off' })
        const { workspaceId: workspace_id } = await siteIn(server, manualClock())
        await server.admin.integrations.update(
          { workspace: workspace_id, integration: 'github' },
          { enabled: true, secret: 'the secret' },
        )
        await server.close()
        const file = join(options.data ?? '', 'encryption.key')
        expect((await stat(file)).mode & 0o777).toBe(0o600)
        const tables = await openTables(options)
        expect(JSON.stringify(await everyRow(tables, store))).not.toContain((await readFile(file, 'utf8')).trim())
        await tables.close()
      } finally {
        await remove()
      }
    })
  },
  ['sqlite'],
)

onEveryStore(
  'PostgreSQL without an encryption key',
  (start) => {
    test('refuses to store a secret without an encryption key, and names the missing setting', async () => {
      const site = await startSite(start, { encryptionKey: undefined })
      const workspace = site.workspaceId
      const { integrations, leadSources } = site.server.admin
      const missing = {
        code: 'validation',
        errors: { secret: [expect.stringContaining('encryptionKey (SERVICE_ENCRYPTION_KEY)')] },
      }
      const github = { workspace, integration: 'github' } as const
      await expect(integrations.update(github, { enabled: true, secret: 'x' })).rejects.toMatchObject(missing)
      await expect(leadSources.rotateSecret({ workspace, source: 'linkedin' })).rejects.toMatchObject(missing)
      expect(await integrations.update(github, { enabled: true })).toMatchObject({ has_secret: false })
      expect(await integrations.rotateSecret({ workspace, integration: 'errors' })).toMatchObject({ has_secret: true })
      expect((await inboundOf(site).git.send('github', 'push', {})).received).toBe(true)
    })
  },
  ['postgres'],
)
