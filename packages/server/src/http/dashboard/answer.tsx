import { randomUUID } from 'node:crypto'
import type { Child } from 'hono/jsx'
import type { App } from '../../context.ts'
import { CardPage, type Shell, ShellPage, type Theme } from '../../ui/layout.tsx'
import type { PageResult, Shown } from '../../ui/page-types.ts'
import { type View, ViewContext } from '../../ui/view-context.ts'
import { textStream } from '../text-stream.ts'
import type { Assets } from './assets.ts'
import { type Cookies, noSessionCookie, noticeCookie, sessionCookie, themeCookie } from './cookies.ts'
import { isOwnPath, type Place } from './place.ts'

/** Only this server: no frames, no inline scripts or styles. Icons are images referenced by URL. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ')

/** Pages show personal data and sometimes secrets, so they must not be cached. */
const pageHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': contentSecurityPolicy,
  'cross-origin-opener-policy': 'same-origin',
  'referrer-policy': 'same-origin',
  'x-frame-options': 'DENY',
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
  vary: 'HX-Request, Cookie',
}

export interface Answering {
  readonly app: Pick<App, 'clock'>
  readonly place: Place
  readonly cookies: Cookies
  readonly assets: Assets
  readonly zone: string
  readonly isFragment: boolean
  /** The layout around a page for signed-in users. */
  readonly shell: Pick<Shell, 'page' | 'path' | 'has' | 'inWorkspace'> | undefined
  /** The layout for users who are not signed in (default: a single card). */
  readonly layout?: Layout
}

export type Layout = (around: {
  readonly shown: Shown
  readonly theme: Theme
  readonly notice: string | undefined
}) => Child

const CardLayout: Layout = ({ shown, theme, notice }) => (
  <CardPage title={shown.title} theme={theme} notice={notice}>
    {shown.body}
  </CardPage>
)

export function toResponse(result: PageResult, answering: Answering): Response {
  const { place } = answering
  switch (result.kind) {
    case 'redirect': {
      const cookies = [
        ...(result.notice === undefined ? [] : [noticeCookie(place, result.notice)]),
        ...(result.theme === undefined ? [] : [themeCookie(place, result.theme)]),
      ]
      return redirectTo(result.to, cookies)
    }
    case 'signed_in':
      return redirectTo(isOwnPath(place, result.to) ? result.to : place.path, [
        sessionCookie(place, result.token, result.expiresAt),
      ])
    case 'signed_out':
      return redirectTo(result.to, [noSessionCookie(place)])
    case 'download':
      return new Response(typeof result.content === 'string' ? result.content : textStream(result.content), {
        headers: {
          ...pageHeaders,
          'content-type': result.type,
          'content-disposition': `attachment; filename="${result.name}"`,
        },
      })
    default:
      return answerPage(result, answering)
  }
}

function answerPage(shown: Shown, answering: Answering): Response {
  const { cookies, place, shell, isFragment, layout: OwnLayout = CardLayout } = answering
  const status = shown.status ?? 200
  const { theme, notice } = cookies
  if (isFragment) return part(shown, { answering, notice })
  const document =
    shell === undefined ? (
      <OwnLayout shown={shown} theme={theme} notice={notice} />
    ) : (
      <ShellPage shell={{ ...shell, shown, theme, notice }} />
    )
  const answer = html(`<!doctype html>${render(document, answering)}`, status)
  if (notice !== undefined) answer.headers.append('set-cookie', noticeCookie(place, undefined))
  return answer
}

/** Without the layout, for a browser that already shows it. */
function part(shown: Shown, { answering, notice }: { answering: Answering; notice: string | undefined }): Response {
  const answer = html(render(shown.body, answering), shown.status ?? 200)
  answer.headers.set('x-part', 'page')
  if (notice === undefined) return answer
  answer.headers.set('x-notice', encodeURIComponent(notice))
  answer.headers.append('set-cookie', noticeCookie(answering.place, undefined))
  return answer
}

const html = (text: string, status: number) => new Response(text, { status, headers: pageHeaders })

/** After a form, the browser is redirected, so that reloading does not submit the form again (RFC 9110 §15.4.4). */
export function redirectTo(to: string, cookies: readonly string[] = []): Response {
  const answer = new Response(null, { status: 303, headers: { ...pageHeaders, location: to } })
  for (const cookie of cookies) answer.headers.append('set-cookie', cookie)
  return answer
}

/** A script that requests part of a page would follow a redirect and show the sign-in form in that part. */
export const signInFirst = (signIn: string) =>
  new Response(null, { status: 401, headers: { ...pageHeaders, 'x-sign-in': signIn } })

function render(body: Child, { app, place, assets, zone }: Answering): string {
  const view: View = {
    asset: (name) => `${place.path}/assets/${assets.version}/${name}`,
    now: app.clock.now() / 1000,
    zone,
    newKey: () => randomUUID(),
  }
  return String(<ViewContext.Provider value={view}>{body}</ViewContext.Provider>)
}
