import type { Server } from '../src/index.ts'
import { createPerson, goodPassword } from './people.ts'

/** A dashboard visitor without a browser. Keeps cookies and submits forms with a same-origin header. */
export interface Visitor {
  get(path: string, headers?: Record<string, string>): Promise<Response>
  /** Submits a form from a page of the server. */
  post(path: string, fields?: Record<string, string> | URLSearchParams): Promise<Response>
  /** Submits a form and follows the redirect. */
  submit(path: string, fields?: Record<string, string> | URLSearchParams): Promise<Response>
  /** The `Cookie` header of its requests. */
  cookie(): string
}

export function visitor(server: Pick<Server, 'fetch' | 'origin'>): Visitor {
  const cookies = new Map<string, string>()
  const cookie = () => [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  async function send(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = { ...init.headers, cookie: cookie() }
    const answer = await server.fetch(new URL(path, server.origin), { ...init, headers, redirect: 'manual' })
    for (const cookie of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
      if (value === '') cookies.delete(name)
      else cookies.set(name, value)
    }
    return answer
  }
  const post: Visitor['post'] = (path, fields = {}) =>
    send(path, { method: 'POST', body: new URLSearchParams(fields), headers: { 'sec-fetch-site': 'same-origin' } })
  return {
    get: (path, headers = {}) => send(path, { headers }),
    post,
    cookie,
    async submit(path, fields) {
      const answer = await post(path, fields)
      const to = answer.headers.get('location')
      return to === null ? answer : send(to)
    },
  }
}

/** A signed-in member of the workspace. */
export async function signedInVisitor(
  server: Server,
  {
    workspace,
    role,
    name = 'Ada',
  }: { workspace: number; role: 'owner' | 'admin' | 'member' | 'viewer'; name?: string },
): Promise<Visitor & { readonly email: string; readonly id: number }> {
  const { email, id } = await createPerson(server, name)
  await server.admin.members.create({ workspace }, { name, email, role })
  const person = visitor(server)
  await person.post('/dashboard/sign-in', { email, password: goodPassword })
  return { ...person, email, id }
}
