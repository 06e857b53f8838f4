import type { Server } from '../src/index.ts'
import { call } from './workspace.ts'

export const goodPassword = 'correct horse battery staple'

/** Creates a person with a password. */
export async function createPerson({ admin }: Pick<Server, 'admin'>, name: string, { isInstanceAdmin = false } = {}) {
  const email = `${name.toLowerCase()}@people.example`
  const user = await admin.users.create({ name, email, is_instance_admin: isInstanceAdmin })
  const { link } = await admin.users.resetPassword({ id: user.id })
  await admin.passwordResets.complete({ code: codeOf(link), password: goodPassword })
  return { ...user, email }
}

/** Creates a person and signs them in. */
export async function signedIn(server: Server, name: string, options: { isInstanceAdmin?: boolean } = {}) {
  const user = await createPerson(server, name, options)
  const { token, id } = await server.admin.sessions.create({ email: user.email, password: goodPassword })
  return { ...user, token, sessionId: id }
}

/** The code of a one-time link. */
export const codeOf = (link: string): string => new URL(link, 'http://x').searchParams.get('code') ?? ''

/** Sends a request to the admin API, as curl would. */
export const askAdmin = (
  server: Server,
  token: string | undefined,
  [method, path, body]: readonly [string, string, unknown?],
  headers: Record<string, string> = {},
) =>
  call(server, {
    method,
    path: `/admin/v1${path}`,
    headers,
    ...(token === undefined ? {} : { token }),
    ...(body === undefined ? {} : { body }),
  })
