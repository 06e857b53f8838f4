import { isServiceError } from '@service/client'
import type { AdminRole } from '@service/contract'
import { mostSpecificFirst } from '@service/contract/match-routes'
import type { Context, Hono } from 'hono'
import type { App } from '../../context.ts'
import { ApiError } from '../../core/errors.ts'
import { describeFault } from '../../core/log.ts'
import { errorPage, type Refusal } from '../../ui/error-pages.tsx'
import type { Shell } from '../../ui/layout.tsx'
import type {
  AccountPage,
  AccountPages,
  AdminRefusal,
  PageResult,
  PageRoute,
  PublicPage,
  PublicPages,
  WorkspacePage,
  WorkspacePages,
} from '../../ui/page-types.ts'
import { statusOf } from '../error-response.ts'
import { type Answering, redirectTo, signInFirst, toResponse } from './answer.tsx'
import type { Assets } from './assets.ts'
import { readCookies, workspaceCookie } from './cookies.ts'
import type { AnswerAdmin } from './page-context.ts'
import { type Asked, accountPage, isFragment, publicPage, refererOf, workspacePage } from './page-context.ts'
import { type Place, placeOf, requireOwnForm } from './place.ts'

interface Parts {
  readonly app: App
  readonly answerAdmin: AnswerAdmin
  readonly assets: Assets
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
  readonly placeInNav: string
  open(
    asked: Asked,
  ): Promise<{ readonly page: PublicPage | AccountPage | WorkspacePage; handle(): Promise<PageResult> }>
}

const workspacePrefix = '/w/{workspace}'

export function mountPages(hono: Hono, parts: Parts, pages: AllPages): void {
  const mounted = allRoutes(pages)
  const roles = new Map(mounted.filter(({ method }) => method === 'GET').map(({ path, role }) => [path, role]))
  const leastRoleAt = (path: string) => roles.get(`${workspacePrefix}${path}`)
  for (const route of mostSpecificFirst(mounted, ({ path }) => path))
    hono.on(route.method, toPattern(route.path) || '/', (c) => answerRoute(c, { ...parts, leastRoleAt }, route))
  hono.all('*', (c) => answerRoute(c, { ...parts, leastRoleAt }, nothingHere))
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
      placeInNav: route.path,
    })),
  ]
}

function mounted<Page extends PublicPage | AccountPage | WorkspacePage>(
  { method, path, handle }: PageRoute<Page>,
  { role, open }: { readonly role: AdminRole; readonly open: (asked: Asked, role: AdminRole) => Promise<Page> },
): Mounted {
  return {
    method,
    path,
    role,
    placeInNav: '',
    async open(asked) {
      const page = await open(asked, role)
      return { page, handle: async () => handle(page) }
    },
  }
}

/** Ids are numbers, so `/tickets/new` does not match a ticket. */
const toPattern = (path: string) =>
  path.replace(/\{(\w+)\}/g, (_, name: string) =>
    name === 'workspace' || name === 'id' || name.endsWith('_id') ? `:${name}{[0-9]{1,15}}` : `:${name}`,
  )

const nothingHere = mounted(
  {
    method: 'GET',
    path: '',
    handle: (page) => errorPage({ status: 404, message: 'There is no such page.' }, page.dashboard('')),
  },
  { role: 'person', open: accountPage },
)

async function answerRoute(c: Context, parts: Parts & Pick<Asked, 'leastRoleAt'>, route: Mounted): Promise<Response> {
  const { app, assets } = parts
  const place = placeOf(c, app.config)
  const cookies = readCookies(c.req.raw.headers.get('cookie'), place)
  const asked: Asked = { c, app, answerAdmin: parts.answerAdmin, place, cookies, leastRoleAt: parts.leastRoleAt }
  const answering: Answering = {
    app,
    place,
    cookies,
    assets,
    zone: cookies.zone ?? 'UTC',
    isFragment: false,
    shell: undefined,
  }
  try {
    if (c.req.method !== 'GET' && c.req.method !== 'HEAD') requireOwnForm(c.req.raw, place.origins)
    const { page, handle } = await route.open(asked)
    const shell = 'person' in page ? shellOf(page, { place, has: page.has, path: route.placeInNav }) : undefined
    const { zone, isFragment } = page
    const within = { ...answering, zone, isFragment, shell }
    const response = toResponse(await settled(app, handle, page), within)
    if ('link' in page && cookies.workspaceId !== page.workspace.id)
      response.headers.append('set-cookie', workspaceCookie(place, page.workspace.id))
    return response
  } catch (thrown) {
    return refused(thrown, asked, answering)
  }
}

/** Failures of the page itself are shown within its layout. */
async function settled(app: App, handle: () => Promise<PageResult>, page: PublicPage): Promise<PageResult> {
  try {
    return await handle()
  } catch (thrown) {
    if (isServiceError(thrown) && thrown.code === 'authentication') throw thrown
    return errorPage(tellRefusal(app, thrown, page.refusalOf), page.dashboard(''))
  }
}

function tellRefusal(app: App, thrown: unknown, said: PublicPage['refusalOf'] = () => undefined) {
  const refusal = toRefusal(thrown, said)
  if (refusal !== undefined) return refusal
  app.log.error('A dashboard page failed.', describeFault(thrown))
  return { status: 500, message: 'Server Error' }
}

/** Users who are not signed in are redirected to sign in and return afterwards. Other errors show no sidebar. */
async function refused(thrown: unknown, asked: Asked, answering: Answering): Promise<Response> {
  const { c, app, place } = asked
  if (isServiceError(thrown) && thrown.code === 'authentication') {
    const signIn = signInPath(c, place)
    return isFragment(c) ? signInFirst(signIn) : redirectTo(signIn)
  }
  const page = await accountPage(asked, 'person').catch(() => undefined)
  const shell = page && shellOf(page, { place, has: () => false, path: '' })
  return toResponse(errorPage(tellRefusal(app, thrown), place.path), { ...answering, shell })
}

/** Returns to the requested page after signing in; for a form or page fragment, to the page that sent it. */
function signInPath(c: Context, place: Place): string {
  const url = new URL(c.req.url)
  const asked = `${place.path}${url.pathname.slice('/dashboard'.length)}${url.search}`
  const to = c.req.method === 'GET' && !isFragment(c) ? asked : refererOf(c, place)
  return `${place.path}/sign-in?to=${encodeURIComponent(to)}`
}

function shellOf(
  page: AccountPage,
  { place, has, path }: { readonly place: Place; readonly has: Shell['has']; readonly path: string },
): Answering['shell'] {
  const inWorkspace = (below: string) => `${place.path}/w/${page.workspace?.id}${below}`
  return { page, path, has, inWorkspace }
}

/** The refusal to show for a page's failure; undefined for a server fault, which is logged. */
function toRefusal(thrown: unknown, said: (error: unknown) => AdminRefusal | undefined): Refusal | undefined {
  if (thrown instanceof ApiError) return { status: statusOf[thrown.code], message: thrown.message }
  if (!isServiceError(thrown) || thrown.status === undefined || thrown.status < 400) return undefined
  const { status, retryAfterMs, requestId } = thrown
  return { status, message: said(thrown)?.message ?? thrown.message, retryAfterMs, requestId }
}
