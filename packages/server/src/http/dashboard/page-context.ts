import { isServiceError } from '@service/client'
import { type Admin, createAdminClient } from '@service/client/admin'
import { type AdminRole, adminBasePath } from '@service/contract'
import type { MemberRole } from '@service/contract/admin/people-input'
import type { Context } from 'hono'
import type { App } from '../../context.ts'
import { isAtLeast } from '../../core/admin-caller.ts'
import { defaultOrigin } from '../../core/config.ts'
import { type ApiError, forbidden, notFound, unavailable } from '../../core/errors.ts'
import { listEditorNames, listMemberships } from '../../modules/members/service.ts'
import { findInvitation, isLink, isSetUp } from '../../modules/users/link-service.ts'
import { plainText } from '../../ui/forms.ts'
import type {
  AccountPage,
  AdminRefusal,
  CurrentWorkspace,
  Fields,
  PublicPage,
  Reader,
  WorkspacePage,
} from '../../ui/page-types.ts'
import { readBytes } from '../read-request.ts'
import { type Cookies, maxRecent } from './cookies.ts'
import type { Editors } from './editors.ts'
import { type DashboardLocation, isDashboardPath } from './location.ts'

export interface PageRequest {
  readonly c: Context
  readonly app: App
  readonly admin: AdminOfPage
  readonly location: DashboardLocation
  readonly cookies: Cookies
  readonly editors: Editors
  readonly form: Fields
  /** The lowest role for the page at this path of a workspace; undefined if there is no such page. */
  minRoleAt(path: string): AdminRole | undefined
}

const maxFormBytes = 256 * 1024

export async function readForm(c: Context): Promise<Fields> {
  if (c.req.method !== 'POST') return noFields
  return toFields(
    new URLSearchParams(new TextDecoder().decode(await readBytes(c.req.raw, c.env, { sentBytes: maxFormBytes }))),
  )
}

export function publicPage({ c, app, admin, location, cookies, form }: PageRequest): PublicPage {
  return {
    ...admin,
    isSetUp: () => isSetUp(app),
    isLink: (purpose, code) => isLink(app, purpose, code),
    findInvitation: (code) => findInvitation(app, code),
    params: c.req.param(),
    query: toFields(new URL(c.req.url).searchParams),
    form,
    dashboard: (path) => `${location.path}${path}`,
    serverUrl: location.serverUrl,
    now: app.clock.now() / 1000,
    zone: cookies.zone ?? 'UTC',
    returnPath: readReferer(c, location),
    isFragment: isFragment(c),
  }
}

/** Whether a script requests part of a page. */
export const isFragment = (c: Context): boolean => c.req.raw.headers.has('hx-request')

/** Without the notice if an open page refreshes itself: it is for the page that the reader opens next. */
export const shownCookies = (c: Context, cookies: Cookies): Cookies =>
  c.req.raw.headers.get('hx-request') === 'refresh' ? { ...cookies, notice: undefined } : cookies

export function readReferer(c: Context, location: DashboardLocation): string {
  const referer = c.req.raw.headers.get('referer') ?? ''
  if (!URL.canParse(referer)) return location.path
  const { pathname, search } = new URL(referer)
  return isDashboardPath(location, pathname) ? `${pathname}${search}` : location.path
}

/** The page of a signed-in user; throws AuthenticationError for others. */
export async function accountPage(request: PageRequest, requiredRole: AdminRole): Promise<AccountPage> {
  const page = publicPage(request)
  const person = await loadReader(page.admin, request.cookies.workspaceIds)
  if (requiredRole === 'instance' && !person.isInstanceAdmin)
    throw forbidden('This page requires an instance administrator.')
  const [lastWorkspaceId] = request.cookies.workspaceIds
  const membership = person.workspaces.find(({ id }) => id === lastWorkspaceId) ?? person.workspaces[0]
  const opened = membership?.id ?? (person.isInstanceAdmin ? lastWorkspaceId : undefined)
  const workspace = opened === undefined ? undefined : await findWorkspace(page.admin, opened)
  const role = person.isInstanceAdmin ? 'instance' : (membership?.role ?? 'person')
  return { ...page, ...getZone(request, workspace), person, workspace, has: pagesFor(request, role) }
}

export async function workspacePage(request: PageRequest, requiredRole: AdminRole): Promise<WorkspacePage> {
  // Before any read: the page is notified of later changes once it connects.
  const { app, editors } = request
  const position = await app.changes.position()
  const page = publicPage(request)
  const id = Number(page.params['workspace'])
  const recent = [id, ...request.cookies.workspaceIds.filter((other) => other !== id)]
  const [person, workspace] = await Promise.all([loadReader(page.admin, recent), findWorkspace(page.admin, id)])
  if (workspace === undefined) throw await refuseWorkspace(app, { id, person })
  const role = getRole(person, id)
  if (!isAtLeast(role, requiredRole)) throw forbidden(`This page needs the role ${requiredRole}; yours is ${role}.`)
  return {
    ...page,
    ...getZone(request, workspace),
    person,
    workspace,
    role,
    has: pagesFor(request, role),
    can: (wanted) => isAtLeast(role, wanted),
    link: (path) => page.dashboard(`/w/${id}${path}`),
    liveUrl: page.dashboard(`/w/${id}/live?since=${position}`),
    async listEditors(ticketId) {
      const others = editors.list({ workspaceId: id, ticketId }).filter((personId) => personId !== person.id)
      return listEditorNames(app, id, others)
    },
    noteEditing: (ticketId, isEditing) => editors.note({ workspaceId: id, ticketId, personId: person.id, isEditing }),
  }
}

/** Tells the members of a disabled workspace why it is closed. To others it does not exist. */
async function refuseWorkspace(app: App, { id, person }: { readonly id: number; readonly person: Reader }) {
  const membership = (await listMemberships(app, [person.id])).find(({ workspace }) => workspace.id === id)
  return membership?.isDisabled === true
    ? forbidden(`${membership.workspace.name} was disabled by an administrator. Ask them to enable it again.`)
    : notFound('workspace', id)
}

const pagesFor =
  ({ minRoleAt }: PageRequest, role: AdminRole) =>
  (path: string) => {
    const least = minRoleAt(path)
    return least !== undefined && isAtLeast(role, least)
  }

const getZone = ({ cookies }: PageRequest, workspace: CurrentWorkspace | undefined) => ({
  zone: cookies.zone ?? workspace?.zone ?? 'UTC',
})

/** The person, with the last opened workspaces. */
async function loadReader(admin: Admin, recent: readonly number[]): Promise<Reader> {
  const ids = recent.filter((id) => Number.isSafeInteger(id) && id > 0).slice(0, maxRecent)
  const query = { workspaces: maxRecent, ...(ids.length > 0 && { first: ids.join(',') }) }
  const { is_instance_admin, hides_first_steps, ...person } = await admin.account.get(query)
  return { ...person, isInstanceAdmin: is_instance_admin, hidesFirstSteps: hides_first_steps }
}

function getRole({ isInstanceAdmin, workspaces }: Reader, id: number): MemberRole | 'instance' {
  if (isInstanceAdmin) return 'instance'
  const role = workspaces.find((workspace) => workspace.id === id)?.role
  if (role === undefined) throw notFound('workspace', id)
  return role
}

async function findWorkspace(admin: Admin, id: number): Promise<CurrentWorkspace | undefined> {
  const found = await admin.workspaces.get({ workspace: id }).safe()
  if (found.ok) return { id, name: found.data.name, zone: found.data.time_zone, currency: found.data.currency }
  if (found.error.code === 'not_found') return undefined
  throw found.error
}

export const toFields = (params: URLSearchParams): Fields => ({
  text: (name) => plainText(params.get(name) ?? ''),
  list: (name) => params.getAll(name).map(plainText),
  has: (name) => params.has(name),
  entries: () => [...params],
})

export const noFields = toFields(new URLSearchParams())

export type AnswerAdmin = (request: Request, env: unknown) => Response | Promise<Response>

/** Headers that identify the origin of a request, for the audit log and to count failed sign-ins. */
const forwardedHeaders = ['x-forwarded-for', 'user-agent', 'x-request-id']

export interface AdminOfPage extends Pick<PublicPage, 'openStream'> {
  readonly admin: Admin
  /**
   * The exact refusal of the admin API. Client errors may be logged anywhere, so they omit addresses and input; here
   * the reader is the one who sent it.
   */
  findRefusal(error: unknown): AdminRefusal | undefined
}

/**
 * The admin API on behalf of the session's user. Page requests take the same path as API requests, so permissions,
 * validation, and the audit log are handled in one place.
 */
export function createPageAdmin(c: Context, answer: AnswerAdmin, session: string | undefined): AdminOfPage {
  const refusals = new Map<string, AdminRefusal>()
  const ask = async (request: Request) =>
    answer(new Request(request, { headers: toHeaders(c, request, session) }), c.env)
  const admin = createAdminClient({
    baseUrl: `${defaultOrigin}${adminBasePath}`,
    token: session ?? 'anonymous',
    dangerouslyAllowBrowser: true, // a test environment may look like a browser
    maxRetries: 0,
    fetch: async (url, init) => {
      const answered = await ask(new Request(url, init))
      const requestId = answered.headers.get('x-request-id')
      if (!answered.ok && requestId !== null) refusals.set(requestId, await readRefusal(answered))
      return answered
    },
  })
  return {
    admin,
    openStream(path) {
      const { method, signal } = c.req.raw
      const headers = { authorization: `Bearer ${session}` }
      return ask(new Request(`${defaultOrigin}${adminBasePath}${path}`, { method, signal, headers }))
    },
    findRefusal: (error) => (isServiceError(error) ? refusals.get(error.requestId ?? '') : undefined),
  }
}

/** The answer to a script whose rights cannot be checked, in the words of the admin API. */
export const toUnavailable = ({ findRefusal }: AdminOfPage, error: Error): ApiError =>
  unavailable(findRefusal(error)?.message ?? error.message)

function toHeaders(c: Context, request: Request, session: string | undefined): Headers {
  const headers = new Headers(request.headers)
  headers.delete('user-agent')
  if (session === undefined) headers.delete('authorization')
  for (const name of forwardedHeaders) {
    const value = c.req.raw.headers.get(name)
    if (value !== null) headers.set(name, value)
  }
  return headers
}

async function readRefusal(answered: Response): Promise<AdminRefusal> {
  const { message = '', errors = {} } = await answered.clone().json()
  return { message, errors }
}
