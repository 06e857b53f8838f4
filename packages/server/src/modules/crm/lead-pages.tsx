import type { LeadDetail } from '@service/contract/admin/crm'
import { leadSources, leadStatuses } from '@service/contract/values'
import { Badge, type Tone } from '../../ui/components/badge.tsx'
import { Button, LinkButton } from '../../ui/components/button.tsx'
import { Facts, PageHead } from '../../ui/components/card.tsx'
import { FilterBar } from '../../ui/components/filter-bar.tsx'
import { Form, FormFoot, SelectField, TextArea, TextField, wordOptions } from '../../ui/components/form.tsx'
import { Icon } from '../../ui/components/icon.tsx'
import { Empty } from '../../ui/components/notice.tsx'
import { Pager, RowLink, Table } from '../../ui/components/table.tsx'
import { Time } from '../../ui/components/time.tsx'
import { counted, money, words } from '../../ui/format.ts'
import {
  addressWith,
  type FormState,
  freshForm,
  ifUnchanged,
  numberOrUndefined,
  submit,
  textOrNull,
  textOrUndefined,
  valuesOf,
} from '../../ui/forms.ts'
import { type PageResult, placeOf, redirect, show, type WorkspacePage } from '../../ui/page-types.ts'
import { sourceName } from './lead-source-pages.tsx'

const tones: Readonly<Record<string, Tone>> = {
  new: 'info',
  contacted: 'warn',
  qualified: 'warn',
  converted: 'ok',
  lost: 'mute',
}

const Status = ({ status }: { readonly status: string }) => (
  <Badge tone={tones[status] ?? 'mute'}>{words(status)}</Badge>
)

const filterNames = ['status', 'source'] as const

export async function leadList(page: WorkspacePage): Promise<PageResult> {
  const { query } = page
  const { data, next_before } = await page.admin.leads.list(
    { workspace: page.workspace.id },
    {
      status: textOrUndefined(query, 'status'),
      source: textOrUndefined(query, 'source'),
      before: numberOrUndefined(query, 'before'),
    },
  )
  const now = valuesOf(query, filterNames)
  return show({
    title: 'Leads',
    live: true,
    body: (
      <>
        <h1 class="sr">Leads</h1>
        <FilterBar
          path={page.link('/leads')}
          query={query}
          filters={[
            { name: 'status', label: 'Status', options: wordOptions(leadStatuses) },
            {
              name: 'source',
              label: 'Source',
              options: leadSources.map((value) => ({ value, label: sourceName(value) })),
            },
          ]}
        />
        <div id="lead-list" data-live="leads">
          {data.length === 0 ? (
            <NoLeads page={page} />
          ) : (
            <>
              <Table
                bleed
                caption="Leads"
                columns={[
                  { name: 'Name', look: 'wide' },
                  { name: 'Status' },
                  { name: 'Source', look: 'wide-only' },
                  { name: 'Value', look: 'right wide-only' },
                  { name: 'Arrived', look: 'right' },
                ]}
              >
                {data.map((lead) => (
                  <tr id={`lead-${lead.id}`}>
                    <td class="wide">
                      <div class="with-icon">
                        <RowLink id={`open-lead-${lead.id}`} href={page.link(`/leads/${lead.id}`)} drawer>
                          {lead.name}
                        </RowLink>
                        <span class="quiet clip wide-only" dir="auto">
                          {lead.company ?? lead.email ?? lead.phone}
                        </span>
                      </div>
                      <div class="second clip" dir="auto">
                        {[sourceName(lead.source), lead.company].filter(Boolean).join(' · ')}
                      </div>
                    </td>
                    <td class="tight">
                      <Status status={lead.status} />
                    </td>
                    <td class="wide-only tight quiet">{sourceName(lead.source)}</td>
                    <td class="wide-only tight right">{money(lead.estimated_value, page.workspace.currency)}</td>
                    <td class="right meta tight">
                      <Time at={lead.created_at} />
                    </td>
                  </tr>
                ))}
              </Table>
              <Pager
                shown={counted(data.length, 'lead')}
                older={
                  next_before === null
                    ? undefined
                    : addressWith(page.link('/leads'), { ...now, before: String(next_before) })
                }
                newest={query.has('before') ? addressWith(page.link('/leads'), now) : undefined}
              />
            </>
          )}
        </div>
      </>
    ),
  })
}

function NoLeads({ page }: { readonly page: WorkspacePage }) {
  if (filterNames.some((name) => page.query.text(name) !== ''))
    return (
      <Empty
        icon="search"
        title="No lead is like that"
        actions={<LinkButton href={page.link('/leads')}>All leads</LinkButton>}
      />
    )
  return (
    <Empty
      icon="user-plus"
      title="No leads yet"
      actions={page.can('admin') && <LinkButton href={page.link('/lead-sources')}>Connect a lead source</LinkButton>}
    >
      Somebody who fills in a form of yours becomes a lead. Programs create them over the API.
    </Empty>
  )
}

export async function leadDetail(page: WorkspacePage): Promise<PageResult> {
  const lead = await page.admin.leads.get(placeOf(page))
  const { id, name, status } = lead
  return show({
    title: name,
    live: true,
    crumbs: [{ label: 'Leads', href: page.link('/leads') }],
    body: (
      <div class="stack" id={`lead-detail-${id}`} data-live="leads">
        <PageHead
          title={name}
          badge={<Status status={status} />}
          actions={
            page.can('member') && (
              <LinkButton id="edit-lead" href={page.link(`/leads/${id}/edit`)} icon="pencil" shortcut="e">
                Edit
              </LinkButton>
            )
          }
        />
        <Facts
          facts={[
            lead.company !== null && ['Company', <bdi>{lead.company}</bdi>],
            lead.email !== null && ['E-mail', <a href={`mailto:${lead.email}`}>{lead.email}</a>],
            lead.phone !== null && ['Phone', <a href={`tel:${lead.phone}`}>{lead.phone}</a>],
            ['Source', sourceName(lead.source)],
            ['Estimated value', money(lead.estimated_value, page.workspace.currency)],
            ['Arrived', <Time at={lead.created_at} exact />],
          ]}
        />
        {lead.notes !== null && lead.notes !== '' && (
          <section class="section">
            <h2>Notes</h2>
            <p class="prose" dir="auto">
              {lead.notes}
            </p>
          </section>
        )}
        <Enquiries lead={lead} />
      </div>
    ),
  })
}

function Enquiries({ lead: { enquiries } }: { readonly lead: LeadDetail }) {
  if (enquiries.length === 0) return null
  return (
    <section class="section">
      <h2>Enquiries</h2>
      <ol class="timeline">
        {enquiries.map(({ source, notes, received_at, name, company, email, phone }) => (
          <li>
            <Icon name="mail" />
            <div>
              <p>
                <strong>{sourceName(source)}</strong> · <Time at={received_at} />
              </p>
              <p class="meta" dir="auto">
                {[name, company, email, phone].filter(Boolean).join(' · ')}
              </p>
              {notes !== null && (
                <p class="prose" dir="auto">
                  {notes}
                </p>
              )}
            </div>
          </li>
        ))}
      </ol>
    </section>
  )
}

export async function editLead(page: WorkspacePage): Promise<PageResult> {
  const { data, meta } = await page.admin.leads.get(placeOf(page)).withMeta()
  const { enquiries: _, ...values } = data
  return leadForm(page, freshForm(values), { lead: data, version: meta.headers['etag'] })
}

export async function updateLead(page: WorkspacePage): Promise<PageResult> {
  const { form } = page
  const place = placeOf(page)
  const patch = {
    status: textOrUndefined(form, 'status'),
    name: form.text('name'),
    company: textOrNull(form, 'company'),
    email: textOrNull(form, 'email'),
    phone: textOrNull(form, 'phone'),
    notes: textOrNull(form, 'notes'),
  }
  const result = await submit(page, page.admin.leads.update(place, patch, ifUnchanged(form)))
  if (result.ok) return redirect(page.link(`/leads/${place.id}`), `${result.data.name} is saved`)
  const { data, meta } = await page.admin.leads.get(place).withMeta()
  return leadForm(page, result.form, { lead: data, version: meta.headers['etag'] })
}

interface Edited {
  readonly lead: LeadDetail
  readonly version: string | undefined
}

function leadForm(page: WorkspacePage, state: FormState, { lead, version }: Edited): PageResult {
  const own = page.link(`/leads/${lead.id}`)
  return show({
    title: 'Edit',
    status: state.status,
    crumbs: [
      { label: 'Leads', href: page.link('/leads') },
      { label: lead.name, href: own },
    ],
    body: (
      <>
        <PageHead title="Edit lead" />
        <Form action={own} state={state} version={version}>
          <SelectField name="status" label="Status" options={wordOptions(leadStatuses)} state={state} />
          <TextField name="name" label="Name" state={state} />
          <TextField name="company" label="Company" optional state={state} />
          <TextField name="email" label="E-mail" type="email" optional state={state} />
          <TextField name="phone" label="Phone" optional state={state} />
          <TextArea name="notes" label="Notes" optional state={state} />
          <FormFoot>
            <Button look="primary">Save</Button>
            <LinkButton href={own} look="quiet">
              Cancel
            </LinkButton>
          </FormFoot>
        </Form>
      </>
    ),
  })
}
