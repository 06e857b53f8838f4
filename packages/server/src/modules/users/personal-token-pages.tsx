import type { NewPersonalToken } from '@service/contract/admin/users'
import { localDay } from '../../core/zones.ts'
import { LinkButton } from '../../ui/components/button.tsx'
import { PageHead } from '../../ui/components/card.tsx'
import { Secret } from '../../ui/components/code.tsx'
import { TextField } from '../../ui/components/form.tsx'
import { formPage } from '../../ui/components/form-page.tsx'
import { endOfDay } from '../../ui/format.ts'
import { type FormState, idempotency, newForm, submit } from '../../ui/forms.ts'
import { type AccountPage, type PageResult, redirect, show } from '../../ui/page-types.ts'

const quarterMs = 90 * 86_400_000

const crumbs = (page: AccountPage) => [{ label: 'Your account', href: page.dashboard('/account') }]

export const newToken = (page: AccountPage): PageResult =>
  tokenForm(page, newForm({ expires_at: localDay(page.now + quarterMs, page.zone) }))

const tokenForm = (page: AccountPage, state: FormState): PageResult =>
  formPage({
    title: 'New personal token',
    intro: 'It has your permissions until you revoke it or it expires.',
    crumbs: crumbs(page),
    action: page.dashboard('/account/tokens'),
    cancel: page.dashboard('/account'),
    state,
    fields: (
      <>
        <TextField name="name" label="Name" hint="Its purpose, such as “Backup script”." state={state} autofocus />
        <TextField name="expires_at" label="Expires after" type="date" narrow state={state} />
      </>
    ),
    submitLabel: 'Create personal token',
  })

export async function createToken(page: AccountPage): Promise<PageResult> {
  const { form } = page
  const day = form.text('expires_at')
  const input = { name: form.text('name'), expires_at: endOfDay(day, page.zone) }
  const result = await submit(page, page.admin.personalTokens.create(input, idempotency(form)))
  return result.ok ? createdPage(page, result.data) : tokenForm(page, result.form)
}

const createdPage = (page: AccountPage, token: NewPersonalToken): PageResult =>
  show({
    title: token.name,
    status: 201,
    crumbs: crumbs(page),
    body: (
      <>
        <PageHead title={`${token.name} is ready`} />
        <div class="stack form">
          <Secret id="personal-token" value={token.token} label="Personal token" />
          <div>
            <LinkButton href={page.dashboard('/account')}>Your account</LinkButton>
          </div>
        </div>
      </>
    ),
  })

export async function revokeToken(page: AccountPage): Promise<PageResult> {
  const token = await page.admin.personalTokens.revoke({ id: Number(page.params['id']) })
  return redirect(page.dashboard('/account'), `${token.name} is revoked`)
}
