import { type AccountPage, type AccountPages, type PageResult, redirect } from '../../ui/page-types.ts'
import { accountPage, changePassword, endSession, rename } from './account-pages.tsx'
import { createToken, newToken, revokeToken } from './personal-token-pages.tsx'

export const accountPages: AccountPages = [
  { method: 'GET', path: '', handle: home },
  { method: 'POST', path: '/theme', handle: changeTheme },
  { method: 'POST', path: '/sign-out', handle: signOut },
  { method: 'GET', path: '/account', handle: (page) => accountPage(page) },
  { method: 'POST', path: '/account/name', handle: rename },
  { method: 'POST', path: '/account/password', handle: changePassword },
  { method: 'POST', path: '/account/sessions/{id}/end', handle: endSession },
  { method: 'GET', path: '/account/tokens/new', handle: newToken },
  { method: 'POST', path: '/account/tokens', handle: createToken },
  { method: 'POST', path: '/account/tokens/{id}/revoke', handle: revokeToken },
]

/** To the workspace that was looked at last. */
function home(page: AccountPage): PageResult {
  if (page.workspace !== undefined) return redirect(page.dashboard(`/w/${page.workspace.id}/overview`))
  return redirect(page.dashboard('/account'))
}

function changeTheme(page: AccountPage): PageResult {
  return { kind: 'redirect', to: page.cameFrom, theme: page.form.text('theme') }
}

async function signOut(page: AccountPage): Promise<PageResult> {
  const { data } = await page.admin.sessions.list({ limit: 200 })
  const current = data.find((session) => session.current)
  if (current !== undefined) await page.admin.sessions.delete({ id: current.id })
  return { kind: 'signed_out', to: page.dashboard('/sign-in') }
}
