import { Deal, Lead, NewLead } from '@service/contract'
import { Account, type DealDetail, type LeadDetail } from '@service/contract/admin/crm'
import { AccountInput, AccountPatch, DealInput, DealPatch, LeadPatch } from '@service/contract/admin/crm-input'
import { dealStages, leadSources, leadStatuses } from '@service/contract/values'
import { Badge, type Tone } from '../../ui/components/badge.tsx'
import { LinkButton } from '../../ui/components/button.tsx'
import { Card, PageHead } from '../../ui/components/card.tsx'
import { EmailLink, PhoneLink } from '../../ui/components/contact-link.tsx'
import { wordOptions } from '../../ui/components/form.tsx'
import { Icon } from '../../ui/components/icon.tsx'
import { InlineSelect } from '../../ui/components/inline-field.tsx'
import { Avatar } from '../../ui/components/person.tsx'
import { Time } from '../../ui/components/time.tsx'
import { money as moneyText, pluralize, words } from '../../ui/format.ts'
import { urlWith } from '../../ui/forms.ts'
import { recordRef, type WorkspacePage, type WorkspacePages } from '../../ui/page-types.ts'
import { choice, day, linked, moment, money, person, reference, text } from '../../ui/resource/fields.tsx'
import { resourcePages } from '../../ui/resource/pages.ts'
import { defineResource } from '../../ui/resource/resource.ts'
import { ResourceTable } from '../../ui/resource/table.tsx'
import { sourceName } from '../integrations/source-name.ts'
import { convertPages } from './convert-pages.tsx'
import { leadSourcePages } from './lead-source-pages.tsx'
import { LinkedDeal } from './linked-deal.tsx'

export const deals = defineResource<Deal, DealDetail>()({
  noun: 'deal',
  icon: 'handshake',
  emptyText: 'A deal is a potential sale to an account. It moves through stages until it is won or lost.',
  role: 'member',
  api: (admin) => admin.deals,
  title: (deal) => deal.title,
  fields: {
    title: text('Title', { column: 'Deal' }),
    stage: choice('Stage', dealStages, { tones: { won: 'ok', lost: 'bad' } }),
    amount: money('Amount'),
    account_id: reference('Account', 'accounts', { none: 'None' }),
    owner_id: reference('Owner', 'members', { none: 'None', filterOptions: [{ value: 'none', label: 'None' }] }),
    expected_close_at: day('Expected to close', { column: 'Closes' }),
    account: linked('Account', { path: '/accounts', idField: 'account_id' }),
    lead: linked('Lead', { path: '/leads', idField: 'lead_id' }),
    owner: person('Owner', 'owner_id'),
    created_at: moment('Created'),
  },
  list: {
    row: Deal,
    link: 'title',
    columns: ['title', 'stage', 'owner', 'expected_close_at', 'amount'],
    onPhones: ['amount'],
    filters: ['owner_id', 'account_id'],
    search: 'Search deals',
    searchHint: 'Searches the beginnings of words in titles.',
    sorts: { expected_close_at: ['close', 'ascending'], amount: ['amount', 'descending'] },
    bulk: ['owner_id', 'stage'],
    after: ({ account }) => <bdi class="quiet clip wide-only">{account?.name}</bdi>,
    secondLine: ({ stage, account }) => [words(stage), account?.name].filter(Boolean).join(' · '),
  },
  board: {
    by: 'stage',
    values: dealStages,
    stacked: 2,
    verb: 'is in',
    card: ({ account, owner, amount, created_at }, { page }) => (
      <>
        {account !== null && <bdi class="clip whole">{account.name}</bdi>}
        {owner !== null && (
          <span title={owner.name}>
            <Avatar name={owner.name} />
            <bdi class="sr">{owner.name}</bdi>
          </span>
        )}
        <Time at={created_at} />
        <span class="push">{moneyText(amount, page.workspace.currency)}</span>
      </>
    ),
    aside: formatTotal,
    summary: (rows, page) => `${rows.filter(isOpen).length} open, ${formatTotal(rows.filter(isOpen), page)}`,
  },
  detail: () => ({ badge: 'stage', facts: ['amount', 'account', 'owner', 'expected_close_at', '?lead', 'created_at'] }),
  form: {
    create: DealInput,
    change: DealPatch,
    initial: ({ person, query }) => ({
      stage: 'prospecting',
      owner_id: person.id,
      account_id: query.text('account_id'),
    }),
  },
  deletes: {},
})

const isOpen = ({ stage }: Deal): boolean => stage !== 'won' && stage !== 'lost'

/** The total value of deals. Deals without an amount count as zero. */
function formatTotal(rows: readonly Deal[], { workspace: { currency } }: WorkspacePage): string {
  return moneyText(
    rows.reduce((sum, { amount }) => sum + Number(amount ?? 0), 0),
    currency,
  )
}

export const accounts = defineResource<Account, Account>()({
  noun: 'account',
  icon: 'building-2',
  emptyText: 'An account is a company and its deals.',
  role: 'member',
  api: (admin) => admin.accounts,
  title: (account) => account.name,
  fields: { name: text('Name') },
  list: {
    row: Account,
    link: 'name',
    columns: ['name'],
    onPhones: [],
    search: 'Search accounts',
    searchHint: 'Searches the beginnings of words in names.',
    drawer: false,
    heading: () => <PageHead title="Accounts">Companies that you make deals with.</PageHead>,
    live: 'deals',
  },
  detail: async (page, { id, name }) => {
    const { workspace } = recordRef(page)
    const { data, next_before } = await page.admin.deals.list({ workspace }, { account_id: id, limit: 200 })
    const open = data.filter(isOpen)
    return {
      facts: [],
      summary:
        data.length === 0 ? 'No deals yet.' : `${pluralize(open.length, 'open deal')}, ${formatTotal(open, page)}`,
      isProtected: data.length > 0,
      actions: (
        <LinkButton href={page.link(`/deals/new?account_id=${id}`)} icon="plus">
          New deal
        </LinkButton>
      ),
      below: data.length > 0 && (
        <Card title="Deals" flush aside={next_before !== null && <span class="meta">The newest {data.length}</span>}>
          <ResourceTable resource={deals} page={page} names={{}} rows={data} caption={`Deals with ${name}`} />
        </Card>
      ),
      live: 'deals',
    }
  },
  form: { create: AccountInput, change: AccountPatch, verb: 'Rename' },
  deletes: {},
})

/** Converting a lead also creates a deal, so it has its own page. */
const chosenStatuses = leadStatuses.filter((status) => status !== 'converted')

export const leads = defineResource<Lead, LeadDetail>()({
  noun: 'lead',
  icon: 'user-plus',
  emptyText: 'Leads come from your forms, lead sources, and the API.',
  role: 'member',
  api: (admin) => admin.leads,
  title: (lead) => lead.name,
  fields: {
    status: choice('Status', chosenStatuses, {
      filterOptions: wordOptions(['converted']),
      show: (_, { row, page }) => <LeadStatus page={page} lead={row} isInList />,
      fact: (status) => <StatusBadge status={status} />,
    }),
    name: text('Name'),
    company: text('Company', { show: (company) => <bdi>{company}</bdi> }),
    email: text('E-mail', { control: 'email', show: (email, { page }) => <Email page={page} email={email} /> }),
    phone: text('Phone', { show: (phone) => phone && <PhoneLink number={phone} /> }),
    source: choice('Source', leadSources, {
      classes: 'quiet',
      show: sourceName,
      options: () => leadSources.map((value) => ({ value, label: sourceName(value) })),
    }),
    estimated_value: { ...money('Estimated value'), column: 'Value' },
    notes: text('Notes', { control: 'prose' }),
    created_at: moment('Arrived'),
  },
  list: {
    row: Lead,
    link: 'name',
    columns: ['name', 'status', 'source', 'estimated_value', 'created_at'],
    onPhones: ['status', 'created_at'],
    filters: ['status', 'source'],
    search: 'Search leads',
    searchHint: 'Searches the beginnings of words in names, e-mail addresses, phone numbers, and companies.',
    sorts: { estimated_value: ['value', 'descending'] },
    bulk: ['status'],
    after: ({ company, email, phone }) => (
      <span class="quiet clip wide-only" dir="auto">
        {company ?? email ?? phone}
      </span>
    ),
    secondLine: ({ source, company }) => [sourceName(source), company].filter(Boolean).join(' · '),
    emptyActions: (page) => (
      <>
        {page.can('member') && <LinkButton href={page.link('/leads/new')}>New lead</LinkButton>}
        {page.can('admin') && <LinkButton href={page.link('/lead-sources')}>Connect a lead source</LinkButton>}
      </>
    ),
  },
  detail: (page, lead) => ({
    badge: 'status',
    facts: [
      page.can('member') && ['Status', <LeadStatus page={page} lead={lead} />],
      '?company',
      '?email',
      '?phone',
      'source',
      'estimated_value',
      lead.deal !== null && ['Deal', <LinkedDeal page={page} deal={lead.deal} />],
      'created_at',
    ],
    prose: 'notes',
    actions: lead.status !== 'converted' && (
      <LinkButton href={page.link(`/leads/${lead.id}/convert`)} icon="handshake">
        Convert
      </LinkButton>
    ),
    below: lead.enquiries.length > 0 && <Enquiries lead={lead} />,
  }),
  form: { create: NewLead, change: LeadPatch, initial: () => ({ source: 'website' }) },
})

/** Leads to everything about the person. */
const Email = ({ page, email }: { readonly page: WorkspacePage; readonly email: string | null }) => (
  <>
    <EmailLink address={email ?? ''} />{' '}
    <a class="meta" href={urlWith(page.link('/person'), { email: email ?? '' })}>
      Everything about this person
    </a>
  </>
)

const statusTones: Readonly<Record<string, Tone>> = {
  new: 'info',
  contacted: 'warn',
  qualified: 'warn',
  converted: 'ok',
}

const StatusBadge = ({ status }: { readonly status: string }) => (
  <Badge tone={statusTones[status] ?? 'mute'}>{words(status)}</Badge>
)

interface LeadStatusProps {
  readonly page: WorkspacePage
  readonly lead: Pick<Lead, 'id' | 'name' | 'status'>
  readonly isInList?: boolean
}

/** Members change it in place. */
function LeadStatus({ page, lead: { id, name, status }, isInList = false }: LeadStatusProps) {
  if (!page.can('member')) return <StatusBadge status={status} />
  return (
    <InlineSelect
      id={`lead-status-${id}`}
      label={`Status of ${name}`}
      name="status"
      value={status}
      mark={<Badge tone={statusTones[status] ?? 'mute'} />}
      action={page.link(`/leads/${id}${isInList ? '?back' : ''}`)}
      version={undefined}
      options={wordOptions(status === 'converted' ? leadStatuses : chosenStatuses)}
    />
  )
}

function Enquiries({ lead: { enquiries } }: { readonly lead: LeadDetail }) {
  return (
    <section class="section">
      <h2>Inquiries</h2>
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

export const crmPages: WorkspacePages = [
  ...resourcePages(deals),
  ...resourcePages(accounts),
  ...resourcePages(leads),
  ...convertPages,
  ...leadSourcePages,
]
