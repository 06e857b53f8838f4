import { parse } from 'hono/utils/cookie'

/** The dashboard's cookies, with their paths and lifetimes. */
export interface Cookies {
  readonly session: string | undefined
  readonly theme: 'light' | 'dark' | undefined
  readonly zone: string | undefined
  readonly workspaceId: number | undefined
  readonly notice: string | undefined
}

export interface CookiePlace {
  readonly isHttps: boolean
  readonly path: string
}

/**
 * `__Host-` ties a cookie to this exact host, so that sibling domains cannot set it. Browsers require https for it, so
 * on plain http, such as localhost, the name differs.
 */
const sessionName = ({ isHttps }: CookiePlace) => (isHttps ? '__Host-service_session' : 'service_session')

export function readCookies(header: string | null, place: CookiePlace): Cookies {
  const found = parse(header ?? '')
  const { service_theme: theme, zone } = found
  const workspaceId = Number(found['service_workspace'])
  return {
    session: found[sessionName(place)] || undefined,
    theme: theme === 'light' || theme === 'dark' ? theme : undefined,
    zone: zone !== undefined && isTimeZone(zone) ? zone : undefined,
    workspaceId: Number.isSafeInteger(workspaceId) && workspaceId > 0 ? workspaceId : undefined,
    notice: found['service_notice'] || undefined,
  }
}

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}

const secure = ({ isHttps }: CookiePlace) => (isHttps ? '; Secure' : '')
const aYear = 31_536_000

export const sessionCookie = (place: CookiePlace, token: string, expiresAt: string): string =>
  `${sessionName(place)}=${token}; Path=/; Expires=${new Date(expiresAt).toUTCString()}; HttpOnly; SameSite=Lax${secure(place)}`

export const noSessionCookie = (place: CookiePlace): string =>
  `${sessionName(place)}=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax${secure(place)}`

const plain = (place: CookiePlace, value: string, maxAge: number): string =>
  `${value}; Path=${place.path}; Max-Age=${maxAge}; HttpOnly; SameSite=Lax${secure(place)}`

export const themeCookie = (place: CookiePlace, theme: string): string =>
  plain(place, `service_theme=${theme}`, theme === 'light' || theme === 'dark' ? aYear : 0)

export const workspaceCookie = (place: CookiePlace, id: number): string =>
  plain(place, `service_workspace=${id}`, aYear)

/** Expires after a minute: the page that shows it loads right away. */
export const noticeCookie = (place: CookiePlace, notice: string | undefined): string =>
  plain(place, `service_notice=${encodeURIComponent(notice ?? '')}`, notice === undefined ? 0 : 60)
