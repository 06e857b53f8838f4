import type { NewSession } from '@service/contract/admin/users'
import type { Child } from 'hono/jsx'
import { Button } from '../../ui/components/button.tsx'
import { Form, SelectField, TextField } from '../../ui/components/form.tsx'
import { Banner } from '../../ui/components/notice.tsx'
import { duration } from '../../ui/format.ts'
import { type FormState, newForm, refusedForm, submit } from '../../ui/forms.ts'
import { type PageResult, type PublicPage, type PublicPages, redirect, show } from '../../ui/page-types.ts'
import { zoneOptions } from '../../ui/place-options.ts'
import { EndPersonalTokens } from './end-personal-tokens.tsx'

// Public pages for sign-in. They work without JavaScript.

export const signInPages: PublicPages = [
  { method: 'GET', path: '/sign-in', handle: openSignIn },
  { method: 'POST', path: '/sign-in', handle: signIn },
  { method: 'GET', path: '/forgotten', handle: forgotten },
  { method: 'GET', path: '/setup', handle: (page) => setupForm(page, newForm({ code: page.query.text('code') })) },
  { method: 'POST', path: '/setup', handle: setUp },
  {
    method: 'GET',
    path: '/reset-password',
    handle: (page) => passwordForm(page, newForm({ code: page.query.text('code'), end_personal_tokens: 'true' })),
  },
  { method: 'POST', path: '/reset-password', handle: resetPassword },
]

const card = (title: string, { status = 200, children }: { readonly status?: number; readonly children: Child }) =>
  show({
    title,
    status,
    body: (
      <>
        <h1>{title}</h1>
        {children}
      </>
    ),
  })

/** A valid code signs in directly. Otherwise this shows the sign-in form. */
async function openSignIn(page: PublicPage): Promise<PageResult> {
  const form = newForm({ to: page.query.text('to') })
  if (!page.query.has('code')) return (await page.isSetUp()) ? signInForm(page, form) : howToSetUp()
  const result = await page.admin.sessions.createByLink({ code: page.query.text('code') }).safe()
  if (result.ok) return signedIn(result.data, '')
  if (result.error.code === 'authentication' || result.error.code === 'validation')
    return signInForm(page, form, 'This link was used or has expired. Sign in with your password.')
  throw result.error
}

const signedIn = ({ token, expires_at }: NewSession, to: string): PageResult => ({
  kind: 'signed_in',
  token,
  expiresAt: expires_at,
  to,
})

function signInForm(page: PublicPage, state: FormState, problem?: string): PageResult {
  const children = (
    <>
      <Form action={page.dashboard('/sign-in')} state={state}>
        {problem !== undefined && <Banner tone="bad">{problem}</Banner>}
        <input type="hidden" name="to" value={state.text('to')} />
        <TextField name="email" label="E-mail address" type="email" autocomplete="username" state={state} autofocus />
        <TextField name="password" label="Password" type="password" autocomplete="current-password" state={state} />
        <Button variant="primary">Sign in</Button>
      </Form>
      <p class="after">
        <a href={page.dashboard('/forgotten')}>Forgotten your password?</a>
      </p>
    </>
  )
  return card('Sign in', { status: state.status, children })
}

function howToSetUp(): PageResult {
  const children = (
    <div class="stack after">
      <p>
        No one can sign in yet. Open the set-up link that the server printed when it started. It works for an hour; this
        makes a new one where the server runs:
        <br />
        <code>service-server setup-link create</code>
      </p>
      <p>
        Or set it up on the command line, with an API token:
        <br />
        <code>service-server setup --help</code>
      </p>
    </div>
  )
  return card('Set up the platform', { children })
}

async function signIn(page: PublicPage): Promise<PageResult> {
  const { form } = page
  const result = await page.admin.sessions.create({ email: form.text('email'), password: form.text('password') }).safe()
  if (result.ok) return signedIn(result.data, form.text('to'))
  const { error } = result
  if (error.code === 'authentication')
    return signInForm(page, refusedForm(form, {}, 401), 'The e-mail address or the password is wrong.')
  if (error.code === 'rate_limited') return signInForm(page, refusedForm(form, {}, 429), waitText(error.retryAfterMs))
  if (error.code !== 'validation') throw error
  return signInForm(page, refusedForm(form, page.findRefusal(error)?.errors ?? error.errors))
}

const waitText = (ms: number | undefined) =>
  `Too many attempts. Try again in ${ms === undefined ? 'a few minutes' : duration(ms)}.`

/** The server sends no e-mail, so an administrator creates the link. */
function forgotten(page: PublicPage): PageResult {
  const children = (
    <div class="stack after">
      <p>
        This server does not send e-mail. Ask an instance administrator to open <strong>People</strong> in the workspace
        menu, choose you, and press <strong>New password link</strong>. The link works once, for one hour.
      </p>
      <h2>You are the only administrator</h2>
      <p>Run these commands on the server. The first one lists the people, the second one prints the link.</p>
      <p>
        <code>service-server user list</code>
      </p>
      <p>
        <code>service-server user reset-password 1</code>
      </p>
      <p>
        <a href={page.dashboard('/sign-in')}>Back to sign-in</a>
      </p>
    </div>
  )
  return card('Forgotten your password?', { children })
}

const invalidLink = (page: PublicPage): PageResult =>
  card('This link is not valid', {
    status: 404,
    children: (
      <p class="after">
        It was used, has expired, or is not valid. Request a new one, or{' '}
        <a href={page.dashboard('/sign-in')}>sign in</a>.
      </p>
    ),
  })

async function setupForm(page: PublicPage, state: FormState): Promise<PageResult> {
  if (!(await page.isLink('setup', state.text('code')))) return invalidLink(page)
  const children = (
    <>
      <p>You become its administrator and own its first workspace.</p>
      <Form action={page.dashboard('/setup')} state={state}>
        <input type="hidden" name="code" value={state.text('code')} />
        <TextField name="name" label="Your name" autocomplete="name" state={state} autofocus />
        <TextField name="email" label="Your e-mail address" type="email" autocomplete="username" state={state} />
        <NewPassword state={state} />
        <TextField
          name="workspace"
          label="Name of the first workspace"
          autocomplete="organization"
          hint="For example, your company name. You can change it later."
          state={state}
        />
        <SelectField
          name="time_zone"
          label="Time zone of the workspace"
          hint="Its days, such as those of attendance, begin at midnight there."
          options={zoneOptions}
          narrow={false}
          state={state}
        />
        <Button variant="primary">Set up</Button>
      </Form>
    </>
  )
  return card('Set up the platform', { status: state.status, children })
}

const NewPassword = ({ state }: { readonly state: FormState }) => (
  <TextField
    name="password"
    label="Password"
    type="password"
    autocomplete="new-password"
    hint="At least 8 characters."
    state={state}
  />
)

async function setUp(page: PublicPage): Promise<PageResult> {
  const { form } = page
  const call = page.admin.setup.complete({
    code: form.text('code'),
    name: form.text('name'),
    email: form.text('email'),
    password: form.text('password'),
    workspace: form.text('workspace'),
    time_zone: form.text('time_zone') || undefined,
  })
  const result = await unlessInvalid(submit(page, call))
  if (result === 'invalid') return invalidLink(page)
  if (!result.ok) return setupForm(page, result.form)
  const { session, workspace } = result.data
  return signedIn(session, page.dashboard(`/w/${workspace.id}/overview`))
}

async function passwordForm(page: PublicPage, state: FormState): Promise<PageResult> {
  const code = state.text('code')
  if (!(await page.isLink('password', code))) return invalidLink(page)
  const invitation = await page.findInvitation(code)
  if (invitation !== undefined) return welcome(page, state, invitation)
  const children = (
    <>
      <p>This ends all your sessions. Sign in again with the new password.</p>
      <Form action={page.dashboard('/reset-password')} state={state}>
        <input type="hidden" name="code" value={state.text('code')} />
        <NewPassword state={state} />
        <EndPersonalTokens state={state} />
        <Button variant="primary">Save the password</Button>
      </Form>
    </>
  )
  return card('Choose a password', { status: state.status, children })
}

interface Welcome {
  readonly name: string
  readonly workspace: { readonly name: string }
}

/** One field, then the person is signed in. */
function welcome(page: PublicPage, state: FormState, { name, workspace }: Welcome): PageResult {
  const children = (
    <>
      <p>Choose a password to sign in with from now on.</p>
      <Form action={page.dashboard('/reset-password')} state={state}>
        <input type="hidden" name="code" value={state.text('code')} />
        <input type="hidden" name="end_personal_tokens" value="true" />
        <NewPassword state={state} />
        <Button variant="primary">Sign in</Button>
      </Form>
    </>
  )
  return card(`Welcome to ${workspace.name}, ${name}`, { status: state.status, children })
}

async function resetPassword(page: PublicPage): Promise<PageResult> {
  const { form } = page
  const invitation = await page.findInvitation(form.text('code'))
  const call = page.admin.passwordResets.complete({
    code: form.text('code'),
    password: form.text('password'),
    end_personal_tokens: form.has('end_personal_tokens'),
  })
  const result = await unlessInvalid(submit(page, call))
  if (result === 'invalid') return invalidLink(page)
  if (!result.ok) return passwordForm(page, result.form)
  if (invitation === undefined) return redirect(page.dashboard('/sign-in'), 'Password changed')
  const session = await page.admin.sessions.create({ email: result.data.email, password: form.text('password') })
  return signedIn(session, page.dashboard(`/w/${invitation.workspace.id}/overview`))
}

/** The link's code is a credential, so an invalid one gets the same error as a wrong password. */
async function unlessInvalid<Result>(submitting: Promise<Result>): Promise<Result | 'invalid'> {
  try {
    return await submitting
  } catch (thrown) {
    if (Object(thrown).code === 'authentication') return 'invalid'
    throw thrown
  }
}
