import type { LeadDetail } from '@service/contract/admin/crm'
import { Button, LinkButton } from '../../ui/components/button.tsx'
import { Card, Facts, PageHead } from '../../ui/components/card.tsx'
import { Form, FormFoot, namedOptions, SelectField, TextField } from '../../ui/components/form.tsx'
import { Empty } from '../../ui/components/notice.tsx'
import { TypedTexts } from '../../ui/error-pages.tsx'
import { type FormState, idempotency, newForm, numberOrNull, submit, textOrNull } from '../../ui/forms.ts'
import {
  type PageResult,
  recordRef,
  redirect,
  show,
  type WorkspacePage,
  type WorkspacePages,
} from '../../ui/page-types.ts'
import { loadNames, money, type Names, reference } from '../../ui/resource/fields.tsx'
import { sourceName } from '../integrations/source-name.ts'
import { LinkedDeal } from './linked-deal.tsx'

export const convertPages: WorkspacePages = [
  { method: 'GET', path: '/leads/{id}/convert', role: 'member', handle: convertPage },
  { method: 'POST', path: '/leads/{id}/convert', role: 'member', handle: convertLead },
]

/** The value of the account field for a new account, named after the lead's company. */
const newAccount = 'new'

const amountField = money('Amount')
const lists = [reference('Account', 'accounts', { none: 'None' }), reference('Owner', 'members', { none: 'None' })]

async function convertPage(page: WorkspacePage): Promise<PageResult> {
  const [lead, names] = await Promise.all([page.admin.leads.get(recordRef(page)), loadNames(page, lists)])
  if (lead.status === 'converted') return toConverted(page, lead)
  const { company, name, estimated_value } = lead
  const state = newForm({
    title: company ?? name,
    account_id: findAccount(lead, names)?.id ?? (company === null ? '' : newAccount),
    amount: estimated_value ?? '',
    owner_id: page.person.id,
  })
  return convertForm(page, { lead, names, state })
}

/** The page of the lead links to its deal. */
const toConverted = (page: WorkspacePage, { id, name }: LeadDetail): PageResult =>
  redirect(page.link(`/leads/${id}`), `${name} is already converted`)

/** The account with the name of the lead's company. */
const findAccount = ({ company }: LeadDetail, { accounts = [] }: Names) =>
  accounts.find(({ name }) => name.toLowerCase() === company?.toLowerCase())

async function convertLead(page: WorkspacePage): Promise<PageResult> {
  const { form, admin } = page
  const lead = await admin.leads.get(recordRef(page))
  const isNew = form.text('account_id') === newAccount
  const deal = {
    title: form.text('title'),
    ...(isNew ? { account_name: lead.company } : { account_id: numberOrNull(form, 'account_id') }),
    amount: amountField.read?.(form.text('amount')) as number | null, // the API rejects other text
    owner_id: numberOrNull(form, 'owner_id'),
    expected_close_at: textOrNull(form, 'expected_close_at'),
  }
  const result = await submit(page, admin.leads.convert(recordRef(page), deal, idempotency(form)))
  if (result.ok) return redirect(page.link(`/deals/${result.data.id}`), `${lead.name} is converted`)
  const now = await admin.leads.get(recordRef(page))
  if (now.status === 'converted') return convertedMeanwhile(page, now)
  return convertForm(page, { lead: now, names: await loadNames(page, lists), state: result.form })
}

/** Someone else was faster. What was typed stays readable. */
const convertedMeanwhile = (page: WorkspacePage, { id, name, deal }: LeadDetail): PageResult =>
  show({
    title: 'Convert',
    status: 409,
    crumbs: crumbsOf(page, { id, name }),
    body: (
      <>
        <Empty
          isPage
          icon="handshake"
          title={`${name} is already converted`}
          actions={<LinkButton href={page.link(`/leads/${id}`)}>Open the lead</LinkButton>}
        >
          {deal !== null && (
            <>
              It is the deal <LinkedDeal page={page} deal={deal} />.
            </>
          )}
        </Empty>
        <TypedTexts form={page.form} />
      </>
    ),
  })

const crumbsOf = (page: WorkspacePage, { id, name }: Pick<LeadDetail, 'id' | 'name'>) => [
  { label: 'Leads', href: page.link('/leads') },
  { label: name, href: page.link(`/leads/${id}`) },
]

interface Conversion {
  readonly lead: LeadDetail
  readonly names: Names
  readonly state: FormState
}

function convertForm(page: WorkspacePage, { lead, names, state }: Conversion): PageResult {
  const path = page.link(`/leads/${lead.id}`)
  return show({
    title: 'Convert',
    status: state.status,
    crumbs: crumbsOf(page, lead),
    body: (
      <>
        <PageHead title="Convert to a deal">
          {lead.deal === null ? (
            'The lead becomes converted and keeps its inquiries.'
          ) : (
            <>
              It was converted before, to <LinkedDeal page={page} deal={lead.deal} />. Converting it again creates
              another deal.
            </>
          )}
        </PageHead>
        <div class="split">
          <Form action={`${path}/convert`} state={state}>
            <ConvertFields page={page} lead={lead} names={names} state={state} />
            <FormFoot>
              <Button variant="primary">Convert</Button>
              <LinkButton href={path} variant="quiet">
                Cancel
              </LinkButton>
            </FormFoot>
          </Form>
          <LeadCard lead={lead} />
        </div>
      </>
    ),
  })
}

function ConvertFields({ page, lead, names, state }: Conversion & { readonly page: WorkspacePage }) {
  const { company } = lead
  const isNewCompany = company !== null && findAccount(lead, names) === undefined
  const newOption = isNewCompany ? [{ value: newAccount, label: `New: ${company}` }] : []
  const accounts = [{ value: '', label: 'None' }, ...newOption, ...namedOptions(names.accounts ?? [])]
  const { hint } = amountField
  return (
    <>
      <TextField name="title" label="Title of the deal" state={state} autofocus />
      <SelectField name="account_id" label="Account" options={accounts} state={state} />
      <TextField
        name="amount"
        label="Amount"
        narrow
        optional
        hint={typeof hint === 'function' ? hint(page) : hint}
        state={state}
      />
      <SelectField name="owner_id" label="Owner" options={namedOptions(names.members ?? [], 'None')} state={state} />
      <TextField name="expected_close_at" label="Expected to close" type="date" narrow optional state={state} />
    </>
  )
}

function LeadCard({ lead: { name, company, email, phone, source, notes } }: { readonly lead: LeadDetail }) {
  return (
    <Card title={name}>
      <div class="stack">
        <Facts
          facts={[
            company !== null && ['Company', <bdi>{company}</bdi>],
            email !== null && ['E-mail', email],
            phone !== null && ['Phone', phone],
            ['Source', sourceName(source)],
          ]}
        />
        {notes !== null && (
          <p class="prose quiet" dir="auto">
            {notes}
          </p>
        )}
      </div>
    </Card>
  )
}
