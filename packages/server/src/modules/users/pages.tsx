import type { PersonalToken, Session } from '@service/contract/admin/users'
import { Badge } from '../../ui/components/badge.tsx'
import { ActionButton, Button, LinkButton } from '../../ui/components/button.tsx'
import { Card, PageHead } from '../../ui/components/card.tsx'
import { Form, FormFoot, TextField } from '../../ui/components/form.tsx'
import { Table } from '../../ui/components/table.tsx'
import { Time } from '../../ui/components/time.tsx'
import { type FormState, newForm, submit } from '../../ui/forms.ts'
import { type AccountPage, type AccountPages, type PageResult, redirect, show } from '../../ui/page-types.ts'
import { EndPersonalTokens } from './end-personal-tokens.tsx'
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

/** Redirects to the last opened workspace. */
function home(page: AccountPage): PageResult {
  if (page.workspace !== undefined) return redirect(page.dashboard(`/w/${page.workspace.id}/overview`))
  return redirect(page.dashboard('/account'))
}

function changeTheme(page: AccountPage): PageResult {
  return { kind: 'redirect', to: page.returnPath, theme: page.form.text('theme') }
}

async function signOut(page: AccountPage): Promise<PageResult> {
  const { data } = await page.admin.sessions.list({ limit: 200 })
  const current = data.find((session) => session.current)
  if (current !== undefined) await page.admin.sessions.delete({ id: current.id })
  return { kind: 'signed_out', to: page.dashboard('/sign-in') }
}

/** The state of a submitted form on the page. */
interface SubmittedForms {
  readonly name?: FormState
  readonly password?: FormState
}

async function accountPage(page: AccountPage, sent: SubmittedForms = {}): Promise<PageResult> {
  const [sessions, tokens] = await Promise.all([
    page.admin.sessions.list({ limit: 200 }),
    page.admin.personalTokens.list({ limit: 50 }),
  ])
  const status = [sent.name, sent.password].map((form) => form?.status ?? 200)
  return show({
    title: 'Your account',
    status: Math.max(...status),
    body: (
      <>
        <PageHead title={page.person.name}>
          <bdi>{page.person.email}</bdi>
        </PageHead>
        <div class="stack">
          <div class="halves">
            <NameCard page={page} state={sent.name ?? newForm({ name: page.person.name })} />
            <PasswordCard page={page} state={sent.password ?? newForm({ end_personal_tokens: 'true' })} />
          </div>
          <SessionsCard page={page} sessions={sessions.data} />
          <TokensCard page={page} tokens={tokens.data} />
        </div>
      </>
    ),
  })
}

interface FormCardProps {
  readonly page: AccountPage
  readonly state: FormState
}

const NameCard = ({ page, state }: FormCardProps) => (
  <Card title="Name">
    <Form action={page.dashboard('/account/name')} state={state}>
      <TextField name="name" label="Your name" autocomplete="name" state={state} />
      <FormFoot>
        <Button>Save name</Button>
      </FormFoot>
    </Form>
  </Card>
)

const PasswordCard = ({ page, state }: FormCardProps) => (
  <Card title="Password">
    <Form action={page.dashboard('/account/password')} state={state}>
      <TextField
        name="current_password"
        label="Current password"
        type="password"
        autocomplete="current-password"
        state={state}
      />
      <TextField
        name="password"
        label="New password"
        type="password"
        autocomplete="new-password"
        hint="At least 8 characters. Ends your other sessions."
        state={state}
      />
      <EndPersonalTokens state={state} />
      <FormFoot>
        <Button>Change password</Button>
      </FormFoot>
    </Form>
  </Card>
)

const SessionsCard = ({ page, sessions }: { readonly page: AccountPage; readonly sessions: readonly Session[] }) => (
  <Card title="Sessions" flush>
    <Table
      caption="Sessions"
      columns={[
        { name: 'Device', classes: 'wide' },
        { name: 'Address', classes: 'wide-only' },
        { name: 'Last seen', classes: 'right' },
        { name: 'Actions', classes: 'right', isHidden: true },
      ]}
    >
      {sessions.map((session) => (
        <tr>
          <td class="wide">
            <div class="with-icon">
              <span class="clip">{deviceName(session.user_agent)}</span>
              {session.current && <Badge tone="ok">This one</Badge>}
            </div>
          </td>
          <td class="wide-only tight">{session.address}</td>
          <td class="right meta tight">
            <Time at={session.last_seen_at} />
          </td>
          <td class="right tight">
            {!session.current && (
              <ActionButton action={page.dashboard(`/account/sessions/${session.id}/end`)} variant="quiet" small>
                End
              </ActionButton>
            )}
          </td>
        </tr>
      ))}
    </Table>
  </Card>
)

const TokensCard = ({ page, tokens }: { readonly page: AccountPage; readonly tokens: readonly PersonalToken[] }) => (
  <Card
    title="Personal access tokens"
    flush
    aside={
      <LinkButton href={page.dashboard('/account/tokens/new')} small>
        New personal token
      </LinkButton>
    }
  >
    {tokens.length === 0 ? (
      <p class="card-body quiet">For scripts that use the admin API. A token has the same permissions as you.</p>
    ) : (
      <TokenTable page={page} tokens={tokens} />
    )}
  </Card>
)

const TokenTable = ({ page, tokens }: { readonly page: AccountPage; readonly tokens: readonly PersonalToken[] }) => (
  <Table
    caption="Personal access tokens"
    columns={[
      { name: 'Name', classes: 'wide' },
      { name: 'Last used', classes: 'right wide-only' },
      { name: 'Expires', classes: 'right' },
      { name: 'Actions', classes: 'right', isHidden: true },
    ]}
  >
    {tokens.map((token) => (
      <tr>
        <td class="wide">
          <div class="clip" title={token.name}>
            <strong dir="auto">{token.name}</strong> <code class="quiet">…{token.hint}</code>
          </div>
        </td>
        <td class="right meta wide-only tight">
          <Time at={token.last_used_at} />
        </td>
        <td class="right meta tight">
          {token.revoked_at === null ? <Time at={token.expires_at} /> : <Badge tone="mute">Revoked</Badge>}
        </td>
        <td class="right tight">
          {token.revoked_at === null && (
            <ActionButton action={page.dashboard(`/account/tokens/${token.id}/revoke`)} variant="quiet" small>
              Revoke
            </ActionButton>
          )}
        </td>
      </tr>
    ))}
  </Table>
)

async function rename(page: AccountPage): Promise<PageResult> {
  const result = await submit(page, page.admin.account.update({ name: page.form.text('name') }))
  if (!result.ok) return accountPage(page, { name: result.form })
  return redirect(page.dashboard('/account'), 'Name saved')
}

async function changePassword(page: AccountPage): Promise<PageResult> {
  const { form } = page
  const patch = {
    password: form.text('password'),
    current_password: form.text('current_password'),
    end_personal_tokens: form.has('end_personal_tokens'),
  }
  const result = await submit(page, page.admin.account.update(patch))
  if (!result.ok) return accountPage(page, { password: result.form })
  return redirect(page.dashboard('/account'), 'Password changed; your other sessions have ended')
}

async function endSession(page: AccountPage): Promise<PageResult> {
  await page.admin.sessions.delete({ id: Number(page.params['id']) })
  return redirect(page.dashboard('/account'), 'Session ended')
}

// Browser and system names, specific before general, because most browsers also name others.

const browsers = [
  ['Edg/', 'Edge'],
  ['OPR/', 'Opera'],
  ['Firefox/', 'Firefox'],
  ['Chrome/', 'Chrome'],
  ['Safari/', 'Safari'],
  ['curl/', 'curl'],
] as const

const systems = [
  ['iPhone', 'iPhone'],
  ['iPad', 'iPad'],
  ['Android', 'Android'],
  ['Windows', 'Windows'],
  ['Mac OS X', 'macOS'],
  ['Linux', 'Linux'],
] as const

/** A readable device name such as `Firefox on Linux`. */
function deviceName(userAgent: string | null): string {
  if (userAgent === null || userAgent === '') return 'Unknown'
  const browser = browsers.find(([mark]) => userAgent.includes(mark))?.[1]
  const system = systems.find(([mark]) => userAgent.includes(mark))?.[1]
  if (browser !== undefined && system !== undefined) return `${browser} on ${system}`
  return browser ?? system ?? userAgent.split(' ')[0] ?? userAgent
}
