import type { Account } from '@service/contract/admin/crm'
import { LinkButton } from '../../ui/components/button.tsx'
import { Card, PageHead } from '../../ui/components/card.tsx'
import { Confirm } from '../../ui/components/dialog.tsx'
import { editPage } from '../../ui/components/edit-page.tsx'
import { TextField } from '../../ui/components/form.tsx'
import { Empty } from '../../ui/components/notice.tsx'
import { Pager, RowLink, Table } from '../../ui/components/table.tsx'
import { counted, money } from '../../ui/format.ts'
import {
  besideStored,
  type FormState,
  freshForm,
  ifUnchanged,
  numberOrUndefined,
  onceKey,
  submit,
} from '../../ui/forms.ts'
import {
  type PageResult,
  placeOf,
  redirect,
  show,
  type WorkspacePage,
  type WorkspacePages,
} from '../../ui/page-types.ts'
import { DealTable, isOpen, worthOf } from './deal-table.tsx'

export const accountPages: WorkspacePages = [
  { method: 'GET', path: '/accounts', handle: accountList },
  { method: 'GET', path: '/accounts/new', role: 'member', handle: (page) => accountForm(page, freshForm()) },
  { method: 'POST', path: '/accounts', role: 'member', handle: createAccount },
  { method: 'GET', path: '/accounts/{id}', handle: accountDetail },
  { method: 'GET', path: '/accounts/{id}/edit', role: 'member', handle: editAccount },
  { method: 'POST', path: '/accounts/{id}', role: 'member', handle: updateAccount },
  { method: 'POST', path: '/accounts/{id}/delete', role: 'member', handle: deleteAccount },
]

async function accountList(page: WorkspacePage): Promise<PageResult> {
  const before = numberOrUndefined(page.query, 'before')
  const { data, next_before } = await page.admin.accounts.list({ workspace: page.workspace.id }, { before })
  return show({
    title: 'Accounts',
    live: true,
    action: page.can('member') ? (
      <LinkButton href={page.link('/accounts/new')} look="primary" icon="plus" shortcut="c">
        New account
      </LinkButton>
    ) : undefined,
    body: (
      <div id="account-list" data-live="deals">
        <PageHead title="Accounts">Companies that deals are made with.</PageHead>
        {data.length === 0 ? (
          <Empty
            icon="building-2"
            title="No accounts yet"
            actions={page.can('member') && <LinkButton href={page.link('/accounts/new')}>New account</LinkButton>}
          >
            An account keeps the deals with one company together.
          </Empty>
        ) : (
          <>
            <Table bleed caption="Accounts" columns={[{ name: 'Name', look: 'wide' }]}>
              {data.map(({ id, name }) => (
                <tr>
                  <td class="wide">
                    <RowLink id={`open-account-${id}`} href={page.link(`/accounts/${id}`)}>
                      {name}
                    </RowLink>
                  </td>
                </tr>
              ))}
            </Table>
            <Pager
              shown={counted(data.length, 'account')}
              older={next_before === null ? undefined : page.link(`/accounts?before=${next_before}`)}
              newest={before === undefined ? undefined : page.link('/accounts')}
            />
          </>
        )}
      </div>
    ),
  })
}

async function accountDetail(page: WorkspacePage): Promise<PageResult> {
  const place = placeOf(page)
  const [{ id, name }, { data, next_before }] = await Promise.all([
    page.admin.accounts.get(place),
    page.admin.deals.list({ workspace: place.workspace }, { account_id: place.id, limit: 200 }),
  ])
  const open = data.filter(isOpen)
  return show({
    title: name,
    live: true,
    crumbs: [{ label: 'Accounts', href: page.link('/accounts') }],
    body: (
      <div class="stack" id={`account-detail-${id}`} data-live="deals">
        <PageHead
          title={name}
          actions={
            page.can('member') && (
              <>
                {data.length === 0 && (
                  <Confirm
                    id={`delete-account-${id}`}
                    button={{ icon: 'trash-2', label: 'Delete', look: 'quiet' }}
                    title={`Delete ${name}?`}
                    action={page.link(`/accounts/${id}/delete`)}
                    does="Delete account"
                  >
                    This cannot be undone.
                  </Confirm>
                )}
                <LinkButton href={page.link(`/accounts/${id}/edit`)} icon="pencil" shortcut="e">
                  Rename
                </LinkButton>
                <LinkButton href={page.link(`/deals/new?account_id=${id}`)} icon="plus">
                  New deal
                </LinkButton>
              </>
            )
          }
        >
          {data.length === 0
            ? 'No deals yet.'
            : `${counted(open.length, 'open deal')}, ${money(worthOf(open), page.workspace.currency)}`}
        </PageHead>
        {data.length > 0 && (
          <Card title="Deals" flush aside={next_before !== null && <span class="meta">The newest {data.length}</span>}>
            <DealTable page={page} deals={data} caption={`Deals with ${name}`} />
          </Card>
        )}
      </div>
    ),
  })
}

async function createAccount(page: WorkspacePage): Promise<PageResult> {
  const account = { name: page.form.text('name') }
  const result = await submit(
    page,
    page.admin.accounts.create({ workspace: page.workspace.id }, account, onceKey(page.form)),
  )
  if (!result.ok) return accountForm(page, result.form)
  return redirect(page.link(`/accounts/${result.data.id}`), `${result.data.name} is created`)
}

async function editAccount(page: WorkspacePage): Promise<PageResult> {
  const { data, meta } = await page.admin.accounts.get(placeOf(page)).withMeta()
  return accountForm(page, freshForm({ name: data.name }), { account: data, version: meta.headers['etag'] })
}

async function updateAccount(page: WorkspacePage): Promise<PageResult> {
  const place = placeOf(page)
  const patch = { name: page.form.text('name') }
  const result = await submit(page, page.admin.accounts.update(place, patch, ifUnchanged(page.form)))
  if (result.ok) return redirect(page.link(`/accounts/${place.id}`), `${result.data.name} is saved`)
  const { data, meta } = await page.admin.accounts.get(place).withMeta()
  const state = besideStored(page.form, result.form, { name: data.name })
  return accountForm(page, state, { account: data, version: meta.headers['etag'] })
}

async function deleteAccount(page: WorkspacePage): Promise<PageResult> {
  const place = placeOf(page)
  const { name } = await page.admin.accounts.get(place)
  await page.admin.accounts.delete(place)
  return redirect(page.link('/accounts'), `${name} is deleted`)
}

interface Edited {
  readonly account: Account
  readonly version: string | undefined
}

function accountForm(page: WorkspacePage, state: FormState, { account, version }: Partial<Edited> = {}): PageResult {
  return editPage(page, {
    noun: 'account',
    list: { label: 'Accounts', path: '/accounts' },
    edited: account && { id: account.id, name: account.name },
    verb: 'Rename',
    state,
    version,
    fields: <TextField name="name" label="Name" state={state} autofocus />,
  })
}
