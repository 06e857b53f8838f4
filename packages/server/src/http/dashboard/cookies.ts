import { parse } from 'hono/utils/cookie'

/** The dashboard's cookies, with their paths and lifetimes. */
export interface Cookies {
  readonly session: string | undefined
  readonly theme: 'light' | 'dark' | undefined
  readonly zone: string | undefined
  readonly workspaceId: number | undefined
  readonly notice: string | undefined
}

export interface CookieScope {
  readonly isHttps: boolean
  readonly path: string
}

/**
 * `__Host-` ties a cookie to this exact host, so that sibling domains cannot set it. Browsers require https for it, so
 * on plain http, such as localhost, the name differs.
 */
const sessionName = ({ isHttps }: CookieScope) => (isHttps ? '__Host-service_session' : 'service_session')

export function readCookies(header: string | null, location: CookieScope): Cookies {
  const found = parse(header ?? '')
  const { service_theme: theme, zone } = found
  const workspaceId = Number(found['service_workspace'])
  return {
    session: found[sessionName(location)] || undefined,
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

const secure = ({ isHttps }: CookieScope) => (isHttps ? '; Secure' : '')
const yearSeconds = 31_536_000

export const sessionCookie = (location: CookieScope, token: string, expiresAt: string): string =>
  `${sessionName(location)}=${token}; Path=/; Expires=${new Date(expiresAt).toUTCString()}; HttpOnly; SameSite=Lax${secure(location)}`

export const expiredSessionCookie = (location: CookieScope): string =>
  `${sessionName(location)}=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax${secure(location)}`

const plain = (location: CookieScope, value: string, maxAge: number): string =>
  `${value}; Path=${location.path}; Max-Age=${maxAge}; HttpOnly; SameSite=Lax${secure(location)}`

export const themeCookie = (location: CookieScope, theme: string): string =>
  plain(location, `service_theme=${theme}`, theme === 'light' || theme === 'dark' ? yearSeconds : 0)

export const workspaceCookie = (location: CookieScope, id: number): string =>
  plain(location, `service_workspace=${id}`, yearSeconds)

/** Expires after a minute: the page that shows it loads right away. */
export const noticeCookie = (location: CookieScope, notice: string | undefined): string =>
  plain(location, `service_notice=${encodeURIComponent(notice ?? '')}`, notice === undefined ? 0 : 60)
