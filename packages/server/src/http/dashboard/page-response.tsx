import { randomUUID } from 'node:crypto'
import type { Child } from 'hono/jsx'
import type { App } from '../../context.ts'
import { CardPage, type Shell, ShellPage, type Theme } from '../../ui/layout.tsx'
import type { Download, Forwarded, PageContent, ShownResult } from '../../ui/page-types.ts'
import { type View, ViewContext } from '../../ui/view-context.ts'
import { contentSecurityPolicy } from '../content-security-policy.ts'
import type { Assets } from './assets.ts'
import { type Cookies, expiredSessionCookie, noticeCookie, sessionCookie, themeCookie } from './cookies.ts'
import { type DashboardLocation, isDashboardPath } from './location.ts'

/** Pages show personal data and sometimes secrets, so they must not be cached. */
const pageHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': contentSecurityPolicy(),
  'cross-origin-opener-policy': 'same-origin',
  'referrer-policy': 'same-origin',
  'x-frame-options': 'DENY',
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
  vary: 'HX-Request, Cookie',
}

export interface ResponseContext {
  readonly app: Pick<App, 'clock'>
  readonly location: DashboardLocation
  readonly cookies: Cookies
  readonly assets: Assets
  readonly zone: string
  readonly isFragment: boolean
  /** The layout around a page for signed-in users. */
  readonly shell: Pick<Shell, 'page' | 'path' | 'has' | 'workspaceLink' | 'sentFrom'> | undefined
  /** The layout for users who are not signed in (default: a single card). */
  readonly layout?: Layout
}

export type Layout = (props: {
  readonly content: PageContent
  readonly theme: Theme
  readonly notice: string | undefined
}) => Child

const CardLayout: Layout = ({ content, theme, notice }) => (
  <CardPage title={content.title} theme={theme} notice={notice}>
    {content.body}
  </CardPage>
)

/** A download has begun to be generated; null is its content for HEAD. */
export type SentResult =
  | ShownResult
  | Forwarded
  | (Omit<Download, 'content'> & { readonly content: ReadableStream<Uint8Array> | null })

export function toResponse(result: SentResult, context: ResponseContext): Response {
  const { location } = context
  switch (result.kind) {
    case 'redirect': {
      const cookies = [
        ...(result.notice === undefined ? [] : [noticeCookie(location, noticeText(result.notice, result.undo))]),
        ...(result.theme === undefined ? [] : [themeCookie(location, result.theme)]),
      ]
      return redirectTo(result.to, cookies)
    }
    case 'signed_in':
      return redirectTo(isDashboardPath(location, result.to) ? result.to : location.path, [
        sessionCookie(location, result.token, result.expiresAt),
      ])
    case 'signed_out':
      return redirectTo(result.to, [expiredSessionCookie(location)])
    case 'download':
      return new Response(result.content, {
        headers: {
          ...pageHeaders,
          'content-type': result.type,
          'content-disposition': `attachment; filename="${result.name}"`,
        },
      })
    case 'forwarded':
      return new Response(result.response.body, result.response)
    default:
      return pageResponse(result, context)
  }
}

/** A notice, and on a second line the address that takes the change back. */
const noticeText = (notice: string, undo: string | undefined) => [notice, undo].filter(Boolean).join('\n')

function pageResponse(content: PageContent, context: ResponseContext): Response {
  const { cookies, location, shell, isFragment, layout: PageLayout = CardLayout } = context
  const { theme } = cookies
  const [notice, undo] = cookies.notice?.split('\n') ?? []
  if (isFragment) return fragmentResponse(content, { context, notice })
  const document =
    shell === undefined ? (
      <PageLayout content={content} theme={theme} notice={notice} />
    ) : (
      <ShellPage
        shell={{ ...shell, content, theme, notice, undo: undo && isDashboardPath(location, undo) ? undo : undefined }}
      />
    )
  const response = htmlResponse(`<!doctype html>${render(document, context)}`, content)
  if (notice !== undefined) response.headers.append('set-cookie', noticeCookie(location, undefined))
  return response
}

/** Without the layout, for a browser that already shows it. */
function fragmentResponse(
  content: PageContent,
  { context, notice }: { context: ResponseContext; notice: string | undefined },
): Response {
  const response = htmlResponse(render(content.body, context), content)
  response.headers.set('x-part', 'page')
  if (notice === undefined) return response
  response.headers.set('x-notice', encodeURIComponent(notice))
  response.headers.append('set-cookie', noticeCookie(context.location, undefined))
  return response
}

function htmlResponse(text: string, { status = 200, retryAfterSeconds }: PageContent): Response {
  const retryAfter = retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) }
  return new Response(text, { status, headers: { ...pageHeaders, ...retryAfter } })
}

/** After a form, the browser is redirected, so that reloading does not submit the form again (RFC 9110 §15.4.4). */
export function redirectTo(to: string, cookies: readonly string[] = []): Response {
  const response = new Response(null, { status: 303, headers: { ...pageHeaders, location: to } })
  for (const cookie of cookies) response.headers.append('set-cookie', cookie)
  return response
}

/** A script that requests part of a page would follow a redirect and show the sign-in form in that part. */
export const signInRequired = (signIn: string) =>
  new Response(null, { status: 401, headers: { ...pageHeaders, 'x-sign-in': signIn } })

function render(body: Child, { app, location, assets, zone }: ResponseContext): string {
  const view: View = {
    asset: (name) => `${location.path}/assets/${assets.version}/${name}`,
    now: app.clock.now() / 1000,
    zone,
    newKey: () => randomUUID(),
  }
  return String(<ViewContext.Provider value={view}>{body}</ViewContext.Provider>)
}
