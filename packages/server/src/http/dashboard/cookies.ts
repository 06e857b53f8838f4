import { canonicalTimeZone } from '@service/contract/admin/time-zone'
import { parse } from 'hono/utils/cookie'

/** The dashboard's cookies, with their paths and lifetimes. */
export interface Cookies {
  readonly session: string | undefined
  readonly theme: 'light' | 'dark' | undefined
  readonly zone: string | undefined
  /** The last opened workspaces, the current one first. */
  readonly workspaceIds: readonly number[]
  readonly notice: string | undefined
}

export interface CookieScope {
  readonly isHttps: boolean
  readonly path: string
  /** Distinguishes the cookies of several instances on one host. */
  readonly cookieSuffix: string
}

/**
 * `__Host-` ties a cookie to this exact host, so that sibling domains cannot set it. Browsers require https for it, so
 * on plain http, such as localhost, the name differs.
 */
const sessionName = ({ isHttps, cookieSuffix }: CookieScope) =>
  `${isHttps ? '__Host-' : ''}service_session${cookieSuffix}`

export function readCookies(header: string | null, location: CookieScope): Cookies {
  const found = parse(header ?? '')
  const { zone } = found
  const own = (name: string) => found[name + location.cookieSuffix]
  const theme = own('service_theme')
  const workspaceIds = (own('service_workspace') ?? '').split('.').filter((id) => /^[1-9]\d{0,14}$/.test(id))
  return {
    session: found[sessionName(location)] || undefined,
    theme: theme === 'light' || theme === 'dark' ? theme : undefined,
    zone: zone === undefined ? undefined : canonicalTimeZone(zone),
    workspaceIds: workspaceIds.slice(0, maxRecent).map(Number),
    notice: own('service_notice') || undefined,
  }
}

const secure = ({ isHttps }: CookieScope) => (isHttps ? '; Secure' : '')
const yearSeconds = 31_536_000

export const sessionCookie = (location: CookieScope, token: string, expiresAt: string): string =>
  `${sessionName(location)}=${token}; Path=/; Expires=${new Date(expiresAt).toUTCString()}; HttpOnly; SameSite=Lax${secure(location)}`

export const expiredSessionCookie = (location: CookieScope): string =>
  `${sessionName(location)}=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax${secure(location)}`

interface PlainCookie {
  readonly name: string
  readonly value: string
  readonly maxAge: number
}

const plain = (location: CookieScope, { name, value, maxAge }: PlainCookie): string =>
  `${name}${location.cookieSuffix}=${value}; Path=${location.path}; Max-Age=${maxAge}; HttpOnly; SameSite=Lax${secure(location)}`

export const themeCookie = (location: CookieScope, theme: string): string =>
  plain(location, {
    name: 'service_theme',
    value: theme,
    maxAge: theme === 'light' || theme === 'dark' ? yearSeconds : 0,
  })

/** The number of workspaces that the menu shows. */
export const maxRecent = 8

export const workspaceCookie = (location: CookieScope, id: number, before: readonly number[]): string => {
  const recent = [id, ...before.filter((other) => other !== id)].slice(0, maxRecent)
  return plain(location, { name: 'service_workspace', value: recent.join('.'), maxAge: yearSeconds })
}

/** Expires after a minute: the page that shows it loads right away. */
export const noticeCookie = (location: CookieScope, notice: string | undefined): string =>
  plain(location, {
    name: 'service_notice',
    value: encodeURIComponent(notice ?? ''),
    maxAge: notice === undefined ? 0 : 60,
  })
