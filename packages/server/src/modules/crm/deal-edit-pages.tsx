import type { Deal } from '@service/contract'
import { dealStages } from '@service/contract/values'
import { editPage } from '../../ui/components/edit-page.tsx'
import { namedOptions, SelectField, TextField, wordOptions } from '../../ui/components/form.tsx'
import {
  besideStored,
  type FormState,
  freshForm,
  ifUnchanged,
  numberOrNull,
  onceKey,
  submit,
  textOrNull,
  textOrUndefined,
} from '../../ui/forms.ts'
import { type Fields, type PageResult, placeOf, redirect, type WorkspacePage } from '../../ui/page-types.ts'

export const newDeal = (page: WorkspacePage): Promise<PageResult> =>
  dealForm(
    page,
    freshForm({ stage: 'prospecting', owner_id: page.person.id, account_id: page.query.text('account_id') }),
  )

export async function createDeal(page: WorkspacePage): Promise<PageResult> {
  const call = page.admin.deals.create({ workspace: page.workspace.id }, fieldsOf(page.form), onceKey(page.form))
  const result = await submit(page, call)
  if (!result.ok) return dealForm(page, result.form)
  return redirect(page.link(`/deals/${result.data.id}`), `${result.data.title} is created`)
}

export async function editDeal(page: WorkspacePage): Promise<PageResult> {
  const { data, meta } = await page.admin.deals.get(placeOf(page)).withMeta()
  return dealForm(page, freshForm(valuesOf(data)), { deal: data, version: meta.headers['etag'] })
}

export async function updateDeal(page: WorkspacePage): Promise<PageResult> {
  const place = placeOf(page)
  const result = await submit(page, page.admin.deals.update(place, fieldsOf(page.form), ifUnchanged(page.form)))
  if (result.ok) return redirect(page.link(`/deals/${place.id}`), `${result.data.title} is saved`)
  const { data, meta } = await page.admin.deals.get(place).withMeta()
  const state = besideStored(page.form, result.form, valuesOf(data))
  return dealForm(page, state, { deal: data, version: meta.headers['etag'] })
}

const valuesOf = ({ account: _, owner: __, ...values }: Deal) => values

const fieldsOf = (form: Fields) => ({
  title: form.text('title'),
  stage: textOrUndefined(form, 'stage'),
  amount: toAmount(form.text('amount')),
  account_id: numberOrNull(form, 'account_id'),
  owner_id: numberOrNull(form, 'owner_id'),
  expected_close_at: textOrNull(form, 'expected_close_at'),
})

/** Separators of thousands are no part of a number; what is none is passed on, so that the server says so. */
function toAmount(text: string): number | null {
  if (text === '') return null
  const value = Number(text.replaceAll(/[,\s]/g, ''))
  return Number.isNaN(value) ? (text as never) : value // not a number: the refusal names the field
}

const amountHint = ({ workspace: { currency } }: WorkspacePage) =>
  currency === null ? 'Such as 12,500.00.' : `In ${currency}, such as 12,500.00.`

interface Edited {
  readonly deal: Deal
  readonly version: string | undefined
}

async function dealForm(page: WorkspacePage, state: FormState, edited?: Edited): Promise<PageResult> {
  const at = { workspace: page.workspace.id }
  const [members, accounts] = await Promise.all([
    page.admin.members.list(at, { limit: 200 }),
    page.admin.accounts.list(at, { limit: 200 }),
  ])
  const { deal, version } = edited ?? {}
  return editPage(page, {
    noun: 'deal',
    list: { label: 'Deals', path: '/deals' },
    edited: deal && { id: deal.id, name: deal.title },
    state,
    version,
    fields: (
      <>
        <TextField name="title" label="Title" state={state} autofocus={deal === undefined} />
        <SelectField name="stage" label="Stage" options={wordOptions(dealStages)} state={state} />
        <TextField name="amount" label="Amount" hint={amountHint(page)} narrow optional state={state} />
        <SelectField name="account_id" label="Account" options={namedOptions(accounts.data, 'None')} state={state} />
        <SelectField name="owner_id" label="Owner" options={namedOptions(members.data, 'Nobody')} state={state} />
        <TextField name="expected_close_at" label="Expected to close" type="date" narrow optional state={state} />
      </>
    ),
  })
}
