import { isServiceError } from '@service/client'
import type { AdminRole } from '@service/contract'
import { mostSpecificFirst } from '@service/contract/match-routes'
import type { Context, Hono } from 'hono'
import type { App } from '../../context.ts'
import { ApiError } from '../../core/errors.ts'
import { describeFault } from '../../core/log.ts'
import { errorPage, type Refusal, typedTexts } from '../../ui/error-pages.tsx'
import type { Shell } from '../../ui/layout.tsx'
import type {
  AccountPage,
  AccountPages,
  AdminRefusal,
  Download,
  PageResult,
  PageRoute,
  PublicPage,
  PublicPages,
  WorkspacePage,
  WorkspacePages,
} from '../../ui/page-types.ts'
import { statusOf } from '../error-response.ts'
import { exportStream } from '../export-stream.ts'
import type { Assets } from './assets.ts'
import { readCookies, workspaceCookie } from './cookies.ts'
import { requireSameOriginForm } from './csrf.ts'
import type { Editors } from './editors.ts'
import { type DashboardLocation, toLocation } from './location.ts'
import type { AnswerAdmin } from './page-context.ts'
import {
  accountPage,
  createPageAdmin,
  isFragment,
  noFields,
  type PageRequest,
  publicPage,
  readForm,
  readReferer,
  shownCookies,
  toUnavailable,
  workspacePage,
} from './page-context.ts'
import { type ResponseContext, redirectTo, type SentResult, signInRequired, toResponse } from './page-response.tsx'

interface Parts {
  readonly app: App
  readonly answerAdmin: AnswerAdmin
  readonly assets: Assets
  readonly editors: Editors
}

interface AllPages {
  readonly publicPages: PublicPages
  readonly accountPages: AccountPages
  readonly workspacePages: WorkspacePages
}

interface Mounted {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly role: AdminRole
  /** The path below the workspace, for the sidebar. */
  readonly navPath: string
  open(
    request: PageRequest,
  ): Promise<{ readonly page: PublicPage | AccountPage | WorkspacePage; handle(): Promise<PageResult> }>
}

const workspacePrefix = '/w/{workspace}'

export function mountPages(hono: Hono, parts: Parts, pages: AllPages): void {
  const mounted = allRoutes(pages)
  const roles = new Map(mounted.filter(({ method }) => method === 'GET').map(({ path, role }) => [path, role]))
  const minRoleAt = (path: string) => roles.get(`${workspacePrefix}${path}`)
  for (const route of mostSpecificFirst(mounted, ({ path }) => path))
    hono.on(route.method, toPattern(route.path) || '/', (c) => answerRoute(c, { ...parts, minRoleAt }, route))
  hono.all('*', (c) => answerRoute(c, { ...parts, minRoleAt }, missingPage))
}

/**
 * For scripts: 204 names the signed-in person, 401 the sign-in page. A page of a workspace requests it below the workspace, and
 * gets no name if the person may no longer open that workspace. The script then reloads the page, which says so.
 */
export function mountSession(hono: Hono, app: App, answerAdmin: AnswerAdmin): void {
  const answer = async (c: Context, workspace?: number) => {
    const location = toLocation(c, app.config)
    const { session } = readCookies(c.req.raw.headers.get('cookie'), location)
    const page = createPageAdmin(c, answerAdmin, session)
    const [account, opened] = await Promise.all([
      page.admin.account.get().safe(),
      workspace === undefined ? undefined : page.admin.workspaces.get({ workspace }).safe(),
    ])
    if (!account.ok) {
      if (account.error.code === 'authentication') return signInRequired(signInPath(c, location))
      throw toUnavailable(page, account.error)
    }
    const isRefused = opened?.ok === false
    if (isRefused && (opened.error.status ?? 500) >= 500) throw toUnavailable(page, opened.error)
    return new Response(null, { status: 204, headers: isRefused ? {} : { 'x-person': String(account.data.id) } })
  }
  hono.get('/session', (c) => answer(c))
  hono.get('/w/:workspace{[0-9]{1,15}}/session', (c) => answer(c, Number(c.req.param('workspace'))))
}

/** Each page with its path, whose parameters are in braces, and the lowest role it requires. */
export const describeRoutes = (pages: AllPages) =>
  allRoutes(pages).map(({ method, path, role }) => ({ method, path: `/dashboard${path}`, role }))

function allRoutes({ publicPages, accountPages, workspacePages }: AllPages): Mounted[] {
  return [
    ...publicPages.map((route) => mounted(route, { role: 'public', open: publicPage })),
    ...accountPages.map((route) => mounted(route, { role: route.role ?? 'person', open: accountPage })),
    ...workspacePages.map((route) => ({
      ...mounted(route, { role: route.role ?? 'viewer', open: workspacePage }),
      path: `${workspacePrefix}${route.path}`,
      navPath: route.path,
    })),
  ]
}

function mounted<Page extends PublicPage | AccountPage | WorkspacePage>(
  { method, path, handle }: PageRoute<Page>,
  {
    role,
    open,
  }: { readonly role: AdminRole; readonly open: (request: PageRequest, role: AdminRole) => Page | Promise<Page> },
): Mounted {
  return {
    method,
    path,
    role,
    navPath: '',
    async open(request) {
      const page = await open(request, role)
      return { page, handle: async () => handle(page) }
    },
  }
}

/** Ids are numbers, so `/tickets/new` does not match a ticket. */
const toPattern = (path: string) =>
  path.replace(/\{(\w+)\}/g, (_, name: string) =>
    name === 'workspace' || name === 'id' || name.endsWith('_id') ? `:${name}{[0-9]{1,15}}` : `:${name}`,
  )

const missingPage = mounted(
  {
    method: 'GET',
    path: '',
    handle: (page) => errorPage({ status: 404, message: 'There is no such page.' }, page.dashboard('')),
  },
  { role: 'person', open: accountPage },
)

async function answerRoute(
  c: Context,
  parts: Parts & Pick<PageRequest, 'minRoleAt'>,
  route: Mounted,
): Promise<Response> {
  const { app, assets } = parts
  const location = toLocation(c, app.config)
  const cookies = readCookies(c.req.raw.headers.get('cookie'), location)
  let request: PageRequest = {
    c,
    app,
    admin: createPageAdmin(c, parts.answerAdmin, cookies.session),
    editors: parts.editors,
    location,
    cookies,
    form: noFields,
    minRoleAt: parts.minRoleAt,
  }
  const context: ResponseContext = {
    app,
    location,
    cookies: shownCookies(c, cookies),
    assets,
    zone: cookies.zone ?? 'UTC',
    isFragment: false,
    shell: undefined,
  }
  try {
    if (c.req.method !== 'GET' && c.req.method !== 'HEAD') requireSameOriginForm(c.req.raw, location.origins)
    request = { ...request, form: await readForm(c) }
    const { page, handle } = await route.open(request)
    const shell = 'person' in page ? createShell(page, { c, location, has: page.has, path: route.navPath }) : undefined
    const { zone, isFragment } = page
    const within = { ...context, zone, isFragment, shell }
    const response = toResponse(await runPage(app, c.req.raw, { page, handle }), within)
    if ('link' in page && cookies.workspaceIds[0] !== page.workspace.id)
      response.headers.append('set-cookie', workspaceCookie(location, page.workspace.id, cookies.workspaceIds))
    return response
  } catch (thrown) {
    return failureResponse(thrown, request, context)
  }
}

/** Failures of the page itself are shown within its layout. */
async function runPage(
  app: App,
  request: Request,
  { page, handle }: Awaited<ReturnType<Mounted['open']>>,
): Promise<SentResult> {
  try {
    const result = await handle()
    if (result.kind !== 'download') return result
    return { ...result, content: await startExport(app, request, { page, result }) }
  } catch (thrown) {
    if (isServiceError(thrown) && thrown.code === 'authentication') throw thrown
    return errorPage(describeFailure(app, thrown, page.findRefusal), page.dashboard(''), page.form)
  }
}

function startExport(
  app: App,
  request: Request,
  { page, result }: { page: PublicPage | WorkspacePage; result: Download },
) {
  if (!('link' in page)) throw new TypeError('Only pages of a workspace export.')
  const exporter = { caller: `person:${page.person.id}`, workspaceId: page.workspace.id }
  return exportStream(app, { parts: result.content, request, ...exporter })
}

function describeFailure(app: App, thrown: unknown, findRefusal: PublicPage['findRefusal']) {
  const refusal = toRefusal(thrown, findRefusal)
  if (refusal !== undefined) return refusal
  app.log.error('A dashboard page failed.', describeFault(thrown))
  return { status: 500, message: 'Server Error' }
}

/**
 * Users who are not signed in are redirected to sign in and return afterwards, unless they would lose what they wrote.
 * Other errors show no sidebar.
 */
async function failureResponse(thrown: unknown, request: PageRequest, context: ResponseContext): Promise<Response> {
  const { c, app, admin, location, form } = request
  if (isServiceError(thrown) && thrown.code === 'authentication') {
    const signIn = signInPath(c, location)
    if (isFragment(c)) return signInRequired(signIn)
    if (typedTexts(form).length === 0) return redirectTo(signIn)
    return toResponse(errorPage({ status: 401, message: '' }, signIn, form), context)
  }
  const page = await accountPage(request, 'person').catch(() => undefined)
  const shell = page && createShell(page, { c, location, has: () => false, path: '' })
  return toResponse(errorPage(describeFailure(app, thrown, admin.findRefusal), location.path, form), {
    ...context,
    shell,
  })
}

/** Returns to the requested page after signing in; for a form or page fragment, to the page that sent it. */
function signInPath(c: Context, location: DashboardLocation): string {
  const url = new URL(c.req.url)
  const current = `${location.path}${url.pathname.slice('/dashboard'.length)}${url.search}`
  const to = c.req.method === 'GET' && !isFragment(c) ? current : readReferer(c, location)
  return `${location.path}/sign-in?to=${encodeURIComponent(to)}`
}

function createShell(
  page: AccountPage,
  { c, location, has, path }: Pick<PageRequest, 'c' | 'location'> & Pick<Shell, 'has' | 'path'>,
): ResponseContext['shell'] {
  const workspaceLink = (below: string) => `${location.path}/w/${page.workspace?.id}${below}`
  const isForm = c.req.method === 'POST' && c.req.raw.headers.has('referer')
  return { page, path, has, workspaceLink, sentFrom: isForm ? page.returnPath : undefined }
}

/** The refusal to show for a page's failure; undefined for a server fault, which is logged. */
function toRefusal(thrown: unknown, findRefusal: (error: unknown) => AdminRefusal | undefined): Refusal | undefined {
  if (thrown instanceof ApiError) {
    const retryAfter = thrown.headers['retry-after']
    const retryAfterMs = retryAfter === undefined ? undefined : Number(retryAfter) * 1000
    return { status: statusOf[thrown.code], message: thrown.message, retryAfterMs }
  }
  if (!isServiceError(thrown) || thrown.status === undefined || thrown.status < 400) return undefined
  const { status, retryAfterMs, requestId } = thrown
  return { status, message: findRefusal(thrown)?.message ?? thrown.message, retryAfterMs, requestId }
}
