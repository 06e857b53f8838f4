import { expect, test } from 'vitest'
import type { Server } from '../src/index.ts'
import { manualClock } from './manual-clock.ts'
import { onEveryStore, onEveryTestStore } from './on-every-store.ts'
import { askAdmin, codeOf, createPerson, goodPassword, signedIn } from './people.ts'
import { onDisk, startWithTables } from './tables.ts'
import { call, seedWorkspace } from './workspace.ts'

const microsPerDay = 86_400_000_000

type SignedIn = Awaited<ReturnType<typeof signedIn>>

/** Signs in over a port, from an address that a trusted proxy reports. */
async function signInFrom(server: Server) {
  const { url } = await server.listen({ port: 0 })
  return (email: string, password: string, address: string) =>
    fetch(`${url}/admin/v1/sessions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': address },
      body: JSON.stringify({ email, password }),
    })
}

onEveryStore('signing in', (start) => {
  test('returns a session for the own account, which ends when it is deleted', async () => {
    const server = await start()
    const { email } = await createPerson(server, 'Ada')
    const created = await askAdmin(server, undefined, [
      'POST',
      '/sessions',
      { email: 'ADA@people.example', password: goodPassword },
    ])
    expect(created).toMatchObject({ status: 201, body: { user: { email, has_password: true } } })
    const { token, id } = created.body
    expect(token).toMatch(/^service_session_[\w-]{43}$/)
    expect(await askAdmin(server, token, ['GET', '/users/me'])).toMatchObject({
      status: 200,
      body: { email, workspaces: [] },
    })
    const listed = await askAdmin(server, token, ['GET', '/sessions'])
    expect(listed.body.data).toMatchObject([{ id, current: true, address: 'in-process' }])
    expect(JSON.stringify(listed.body)).not.toContain(token.slice(20))
    expect((await askAdmin(server, token, ['DELETE', `/sessions/${id}`])).status).toBe(200)
    const after = await askAdmin(server, token, ['GET', '/users/me'])
    expect([after.status, after.headers.get('www-authenticate')]).toEqual([401, 'Bearer error="invalid_token"'])
  })

  test('gives the same response for a wrong password, a person without one, and an unknown address', async () => {
    const server = await start()
    await createPerson(server, 'Ada')
    await server.admin.users.create({ name: 'Ben', email: 'ben@people.example' })
    for (const email of ['ada@people.example', 'ben@people.example', 'nobody@people.example']) {
      const refused = await askAdmin(server, undefined, ['POST', '/sessions', { email, password: 'wrong' }])
      expect(refused).toMatchObject({ status: 401, body: { message: 'The e-mail address or the password is wrong.' } })
    }
  })

  test('replaces the session of the request', async () => {
    const server = await start()
    const { email, token } = await signedIn(server, 'Ada')
    const again = await askAdmin(server, token, ['POST', '/sessions', { email, password: goodPassword }])
    expect(again.status).toBe(201)
    expect((await askAdmin(server, token, ['GET', '/users/me'])).status).toBe(401)
    expect((await askAdmin(server, again.body.token, ['GET', '/users/me'])).status).toBe(200)
  })

  test('waits after ten failures of one site for one account; neither attackers elsewhere nor neighbors matter', async () => {
    const clock = manualClock()
    const server = await start({ clock, trustedProxies: ['127.0.0.1'] })
    const { email: ada } = await createPerson(server, 'Ada')
    const signIn = await signInFrom(server)
    const statuses = await Promise.all([
      ...Array.from({ length: 12 }, () => signIn(ada, 'wrong', '203.0.113.1')),
      ...Array.from({ length: 12 }, () => signIn(ada, 'wrong', '203.0.113.2')),
      ...Array.from({ length: 25 }, (_, person) => signIn(`nobody${person}@people.example`, 'wrong', '198.51.100.1')),
    ])
    expect(statuses.filter(({ status }) => status === 429)).toHaveLength(4)
    for (const address of ['198.51.100.1', '192.0.2.1'])
      expect((await signIn(ada, goodPassword, address)).status).toBe(201)
    const { status, headers } = await signIn(ada, goodPassword, '203.0.113.1')
    expect([status, headers.get('retry-after')]).toEqual([429, '60'])
    clock.advance(60_000_000)
    expect((await signIn(ada, goodPassword, '203.0.113.1')).status).toBe(201)
  })

  test('counts an IPv6 /48 as one site', async () => {
    const server = await start({ trustedProxies: ['127.0.0.1'] })
    const { email } = await createPerson(server, 'Ada')
    const signIn = await signInFrom(server)
    const statuses: number[] = []
    for (let subnet = 1; subnet <= 11; subnet += 1)
      statuses.push((await signIn(email, 'wrong', `2001:db8:1:${subnet}::1`)).status)
    expect(statuses).toEqual([...Array(10).fill(401), 429])
    expect((await signIn(email, goodPassword, '2001:db8:2::1')).status).toBe(201)
  })

  test('is slowed down for an account that many sites attack, but not from a site of the person', async () => {
    const clock = manualClock()
    const server = await start({ clock, trustedProxies: ['127.0.0.1'] })
    const { email: ada } = await createPerson(server, 'Ada')
    const signIn = await signInFrom(server)
    expect((await signIn(ada, goodPassword, '192.0.2.1')).status).toBe(201)
    const attack = (sites: number, first: number) =>
      Promise.all(
        Array.from(
          { length: sites },
          async (_, site) => (await signIn(ada, 'wrong', `203.0.113.${first + site}`)).status,
        ),
      )
    // Repeated attempts of known attackers do not use up the first attempt of another site.
    for (let round = 0; round < 5; round += 1) await attack(10, 0)
    expect((await signIn(ada, goodPassword, '198.51.100.1')).status).toBe(201)
    expect(await attack(20, 10)).not.toContain(429)
    expect((await signIn(ada, goodPassword, '198.51.100.2')).status).toBe(429)
    expect((await signIn(ada, goodPassword, '192.0.2.1')).status).toBe(201)
    clock.advance(60_000_000)
    expect((await signIn(ada, goodPassword, '198.51.100.2')).status).toBe(201)
  })

  test('leaves sessions, personal tokens, and password links open while passwords are guessed', async () => {
    const server = await start()
    const { id, email, token } = await signedIn(server, 'Ada')
    const expires_at = '2027-01-01T00:00:00Z'
    const own = await askAdmin(server, token, ['POST', '/users/me/tokens', { name: 'Script', expires_at }])
    const { link } = await server.admin.users.resetPassword({ id }, { end_personal_tokens: false })
    const guess = () => askAdmin(server, undefined, ['POST', '/sessions', { email, password: 'wrong' }])
    for (let count = 0; count < 10; count += 1) await guess()
    expect((await guess()).status).toBe(429)
    for (const credential of [token, own.body.token])
      expect((await askAdmin(server, credential, ['GET', '/users/me'])).status).toBe(200)
    const chosen = { code: codeOf(link), password: 'another good password' }
    expect((await askAdmin(server, undefined, ['POST', '/password-resets', chosen])).status).toBe(200)
  })

  test('checks at most ten of many concurrent guesses', async () => {
    const server = await start({ clock: manualClock() })
    const { email } = await createPerson(server, 'Ada')
    const guess = (password: string) => askAdmin(server, undefined, ['POST', '/sessions', { email, password }])
    const guesses = await Promise.all(Array.from({ length: 40 }, (_, index) => guess(`guess ${index}`)))
    const tried = guesses.filter(({ status }) => status === 401)
    expect(tried.length).toBeGreaterThan(0)
    expect(tried.length).toBeLessThanOrEqual(10)
    expect(guesses.filter(({ status }) => status < 400)).toEqual([])
  })

  test('fails for disabled people, and so do their tokens, of which only API tokens work again later', async () => {
    const server = await start()
    const { id, email, token } = await signedIn(server, 'Ada')
    const { workspace } = await seedWorkspace(server)
    await server.admin.members.create({ workspace: workspace.id }, { name: 'Ada', email, role: 'admin' })
    const own = await askAdmin(server, token, [
      'POST',
      '/users/me/tokens',
      { name: 'Script', expires_at: '2027-01-01T00:00:00Z' },
    ])
    const api = await server.admin.tokens.create({ workspace: workspace.id }, { user_id: id, scopes: ['tickets:read'] })
    await server.admin.users.update({ id }, { disabled: true })
    expect((await askAdmin(server, token, ['GET', '/users/me'])).status).toBe(401)
    expect((await askAdmin(server, own.body.token, ['GET', '/users/me'])).status).toBe(401)
    expect((await askAdmin(server, undefined, ['POST', '/sessions', { email, password: goodPassword }])).status).toBe(
      401,
    )
    const tickets = { path: `/api/v1/workspaces/${workspace.id}/tickets`, token: api.token }
    expect((await call(server, tickets)).status).toBe(401)
    await server.admin.users.update({ id }, { disabled: false })
    expect((await call(server, tickets)).status).toBe(200)
    expect((await askAdmin(server, token, ['GET', '/users/me'])).status).toBe(401)
    expect((await askAdmin(server, own.body.token, ['GET', '/users/me'])).status).toBe(401)
  })
})

onEveryTestStore('a session', (start) => {
  test('expires after seven idle days, and after thirty days in any case', async () => {
    const clock = manualClock()
    const server = await start({ clock })
    const { email, token } = await signedIn(server, 'Ada')
    const isOpen = async () => (await askAdmin(server, token, ['GET', '/users/me'])).status === 200
    const states: boolean[] = []
    for (let day = 0; day < 30; day += 6) {
      states.push(await isOpen())
      await server.settled()
      clock.advance(6 * microsPerDay)
    }
    expect([...states, await isOpen()]).toEqual([true, true, true, true, true, false])
    const idle = await server.admin.sessions.create({ email, password: goodPassword })
    clock.advance(7 * microsPerDay)
    expect((await askAdmin(server, idle.token, ['GET', '/users/me'])).status).toBe(401)
  })
})

onEveryStore('a password', (start) => {
  test('can be changed with the current password, which ends the other sessions', async () => {
    const server = await start()
    const { email, token } = await signedIn(server, 'Ada')
    const other = await server.admin.sessions.create({ email, password: goodPassword })
    const change = (patch: object) => askAdmin(server, token, ['PATCH', '/users/me', patch])
    const password = 'another good password'
    for (const current of [{}, { current_password: 'wrong' }])
      expect(await change({ password, ...current })).toMatchObject({
        status: 422,
        body: { errors: { current_password: [expect.any(String)] } },
      })
    expect((await change({ password: 'short', current_password: goodPassword })).status).toBe(422)
    expect((await change({ password, current_password: goodPassword })).status).toBe(200)
    expect((await askAdmin(server, token, ['GET', '/users/me'])).status).toBe(200)
    expect((await askAdmin(server, other.token, ['GET', '/users/me'])).status).toBe(401)
    await expect(server.admin.sessions.create({ email, password: goodPassword })).rejects.toMatchObject({ status: 401 })
    await server.admin.sessions.create({ email, password })
  })

  test('cannot be changed with a personal access token', async () => {
    const server = await start()
    const { email, token } = await signedIn(server, 'Ada')
    const expires_at = '2027-01-01T00:00:00Z'
    const own = await askAdmin(server, token, ['POST', '/users/me/tokens', { name: 'Script', expires_at }])
    const change = { password: 'another good password', current_password: goodPassword }
    expect(await askAdmin(server, own.body.token, ['PATCH', '/users/me', change])).toMatchObject({
      status: 403,
      body: { message: 'Sign in to change the password.' },
    })
    expect((await askAdmin(server, own.body.token, ['PATCH', '/users/me', { name: 'Ada Obi' }])).status).toBe(200)
    await server.admin.sessions.create({ email, password: goodPassword })
  })

  test('cannot be changed by guessing: ten guesses a minute are checked, the others are refused', async () => {
    const clock = manualClock()
    const server = await start({ clock })
    const { token } = await signedIn(server, 'Ada')
    const change = async (current_password: string) => {
      const patch = { password: 'another good password', current_password }
      return (await askAdmin(server, token, ['PATCH', '/users/me', patch])).status
    }
    const guesses = await Promise.all(Array.from({ length: 60 }, () => change('wrong')))
    expect(guesses.toSorted()).toEqual([...Array(10).fill(422), ...Array(50).fill(429)])
    expect(await change(goodPassword)).toBe(429)
    clock.advance(60_000_000)
    expect(await change(goodPassword)).toBe(200)
  })

  test('can be set with a link that works once, for an hour, and ends every session', async () => {
    const clock = manualClock()
    const server = await start({ clock })
    const { id, email, token } = await signedIn(server, 'Ada')
    const late = await server.admin.users.resetPassword({ id })
    clock.advance(3_600_000_000)
    const choose = (link: string, password: string) =>
      server.admin.passwordResets.complete({ code: codeOf(link), password })
    await expect(choose(late.link, 'too late indeed')).rejects.toMatchObject({ status: 401 })
    const { link } = await server.admin.users.resetPassword({ id })
    expect(link).toMatch(/^\/reset-password\?code=[\w-]{43}$/)
    await choose(link, 'chosen by the link')
    await expect(choose(link, 'chosen once more')).rejects.toMatchObject({ status: 401 })
    expect((await askAdmin(server, token, ['GET', '/users/me'])).status).toBe(401)
    await server.admin.sessions.create({ email, password: 'chosen by the link' })
  })
})

onEveryStore('a new password', (start) => {
  test.each<{ what: string; set: (server: Server, person: SignedIn, keep: object) => Promise<unknown> }>([
    {
      what: 'a link',
      set: async (server, { id }, keep) => {
        const { link } = await server.admin.users.resetPassword({ id }, { end_personal_tokens: false })
        const body = { code: codeOf(link), password: 'another good password', ...keep }
        return askAdmin(server, undefined, ['POST', '/password-resets', body])
      },
    },
    {
      what: 'the account page',
      set: (server, { token }, keep) => {
        const body = { password: 'another good password', current_password: goodPassword, ...keep }
        return askAdmin(server, token, ['PATCH', '/users/me', body])
      },
    },
    {
      what: 'an administrator',
      set: (server, { id }, keep) => server.admin.users.resetPassword({ id }, keep),
    },
  ])('by $what ends the personal access tokens, unless they are kept', async ({ set }) => {
    const server = await start()
    for (const [name, keep, expected] of [
      ['Ada', {}, 401],
      ['Ben', { end_personal_tokens: true }, 401],
      ['Cho', { end_personal_tokens: false }, 200],
    ] as const) {
      const person = await signedIn(server, name)
      const expires_at = '2027-01-01T00:00:00Z'
      const own = await askAdmin(server, person.token, ['POST', '/users/me/tokens', { name: 'Script', expires_at }])
      await set(server, person, keep)
      expect((await askAdmin(server, own.body.token, ['GET', '/users/me'])).status).toBe(expected)
    }
  })

  test('ends all one-time links of the person and those that they created', async () => {
    const server = await start()
    const admin = await signedIn(server, 'Ada', { isInstanceAdmin: true })
    const { id } = await createPerson(server, 'Ben')
    const created = await askAdmin(server, admin.token, ['POST', `/users/${id}/sign-in-link`])
    const own = await server.admin.users.signInLink({ id: admin.id })
    const { link } = await server.admin.users.resetPassword({ id: admin.id })
    await server.admin.passwordResets.complete({ code: codeOf(link), password: 'another good password' })
    for (const each of [created.body.link, own.link])
      expect((await askAdmin(server, undefined, ['POST', '/sessions/by-link', { code: codeOf(each) }])).status).toBe(
        401,
      )
  })
})

onEveryStore('a one-time link', (start) => {
  test.each([{ disabled: true }, { is_instance_admin: false }])(
    'ends when the administrator who created it is changed: %o',
    async (patch) => {
      const server = await start()
      const admin = await signedIn(server, 'Ada', { isInstanceAdmin: true })
      const { id } = await createPerson(server, 'Ben')
      const links = [
        await askAdmin(server, admin.token, ['POST', `/users/${id}/sign-in-link`]),
        await askAdmin(server, admin.token, ['POST', `/users/${id}/reset-password`]),
      ]
      await server.admin.users.update({ id: admin.id }, patch)
      const [signIn, reset] = links.map(({ body }) => codeOf(body.link))
      expect((await askAdmin(server, undefined, ['POST', '/sessions/by-link', { code: signIn }])).status).toBe(401)
      const chosen = { code: reset, password: 'of the administrator' }
      expect((await askAdmin(server, undefined, ['POST', '/password-resets', chosen])).status).toBe(401)
    },
  )
})

onEveryStore(
  'signing in while many change their passwords',
  (start) => {
    test('works while one address sends more attempts than can be checked', async () => {
      const server = await start({ trustedProxies: ['127.0.0.1'] })
      const { email } = await createPerson(server, 'Ada')
      const signIn = await signInFrom(server)
      const attack = Array.from({ length: 300 }, (_, person) =>
        signIn(`nobody${person}@people.example`, 'wrong', '203.0.113.1'),
      )
      expect((await signIn(email, goodPassword, '198.51.100.1')).status).toBe(201)
      const statuses = (await Promise.all(attack)).map(({ status }) => status)
      expect(new Set(statuses)).toEqual(new Set([401, 503]))
    })

    test('works during an attack, from the same address and from others, because callers take turns', async () => {
      const server = await start({ trustedProxies: ['127.0.0.1'] })
      const people: { email: string; token: string }[] = []
      for (let person = 1; person <= 6; person += 1) people.push(await signedIn(server, `Person${person}`))
      const { url } = await server.listen()
      const ask = async ([method, path, body]: readonly [string, string, object], from: number, token?: string) => {
        const headers = { 'content-type': 'application/json', 'x-forwarded-for': `203.0.113.${from}` }
        const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` }
        const init = { method, headers: { ...headers, ...authorization }, body: JSON.stringify(body) }
        return (await fetch(`${url}/admin/v1${path}`, init)).status
      }
      const patch = { password: 'another good password', current_password: 'wrong' }
      const guesses = people.flatMap(({ token }, from) =>
        Array.from({ length: 15 }, () => ask(['PATCH', '/users/me', patch], from, token)),
      )
      const signIns = people.map(({ email }, from) =>
        ask(['POST', '/sessions', { email, password: goodPassword }], from),
      )
      expect(await Promise.all(signIns)).toEqual(people.map(() => 201))
      for (const status of await Promise.all(guesses)) expect([422, 429, 503]).toContain(status)
    })
  },
  ['memory'],
)

onEveryStore('a personal access token', (start) => {
  test('has the permissions of its owner until it expires or is revoked, and cannot create another token', async () => {
    const clock = manualClock()
    const server = await start({ clock })
    const { token: session } = await signedIn(server, 'Ada', { isInstanceAdmin: true })
    const create = (token: string, expires_at: string) =>
      askAdmin(server, token, ['POST', '/users/me/tokens', { name: 'Script', expires_at }])
    expect((await create(session, '2020-01-01T00:00:00Z')).status).toBe(422)
    const made = await create(session, '2026-12-01T00:00:00Z')
    expect(made).toMatchObject({ status: 201, body: { hint: made.body.token.slice(-4), last_used_at: null } })
    const { token, id } = made.body
    expect((await askAdmin(server, token, ['GET', '/users'])).status).toBe(200)
    expect((await create(token, '2026-12-01T00:00:00Z')).status).toBe(403)
    const listed = await askAdmin(server, token, ['GET', '/users/me/tokens'])
    expect(JSON.stringify(listed.body)).not.toContain(token.slice(20, -4))
    expect((await askAdmin(server, session, ['DELETE', `/users/me/tokens/${id}`])).body).toMatchObject({
      revoked_at: expect.any(String),
    })
    expect((await askAdmin(server, token, ['GET', '/users'])).status).toBe(401)
    const short = await create(session, '2026-11-21T00:00:00Z')
    clock.advance(microsPerDay)
    expect((await askAdmin(server, short.body.token, ['GET', '/users'])).status).toBe(401)
  })
})

onEveryStore(
  'the database',
  (_start, store) => {
    test('stores only Argon2id hashes of passwords and SHA-256 hashes of sessions, personal tokens, and links', async () => {
      const { server, tables } = await startWithTables(store)
      const { id, token } = await signedIn(server, 'Ada')
      const personal = await askAdmin(server, token, [
        'POST',
        '/users/me/tokens',
        { name: 'A', expires_at: '2027-01-01T00:00:00Z' },
      ])
      const { link } = await server.admin.users.resetPassword({ id })
      const names = ['users', 'sessions', 'personal_tokens', 'one_time_links', 'audit_log', 'idempotency_keys']
      let text = ''
      for (const name of names) text += JSON.stringify(await tables.rows(`select * from ${name}`))
      expect(text).toContain('$argon2id$v=19$m=19456,t=2,p=1$')
      for (const secret of [goodPassword, token, personal.body.token, codeOf(link)]) {
        expect(text).not.toContain(secret)
        expect(text).not.toContain(secret.slice(-30))
      }
    })
  },
  onDisk,
)

onEveryStore('a link that signs in', (start) => {
  test('creates a session once, within an hour, unless the person is disabled', async () => {
    const clock = manualClock()
    const server = await start({ clock })
    const { id, name } = await server.admin.users.create({ name: 'Ada', email: 'ada@people.example' })
    const linkFor = async () => codeOf((await server.admin.users.signInLink({ id })).link)
    const used = await linkFor()
    const { token, user } = await server.admin.sessions.createByLink({ code: used })
    expect(user).toMatchObject({ id, name, has_password: false })
    expect((await askAdmin(server, token, ['GET', '/users/me'])).status).toBe(200)

    const late = await linkFor()
    clock.advance(3_600_000_000)
    await server.admin.users.update({ id }, { disabled: true })
    await expect(server.admin.users.signInLink({ id })).rejects.toMatchObject({ code: 'conflict' })
    for (const code of [used, late, 'guessed'])
      await expect(server.admin.sessions.createByLink({ code })).rejects.toMatchObject({ code: 'authentication' })
  })

  test('can only be created by an instance administrator', async () => {
    const server = await start()
    const { id, token } = await signedIn(server, 'Ben')
    expect((await askAdmin(server, token, ['POST', `/users/${id}/sign-in-link`])).status).toBe(403)
  })
})
