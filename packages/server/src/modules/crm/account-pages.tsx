import type { Account } from '@service/contract/admin/crm'
import { AccountInput, AccountPatch } from '@service/contract/admin/crm-input'
import { LinkButton } from '../../ui/components/button.tsx'
import { Card } from '../../ui/components/card.tsx'
import { counted } from '../../ui/format.ts'
import { placeOf } from '../../ui/page-types.ts'
import { text } from '../../ui/resource/fields.tsx'
import { defineResource } from '../../ui/resource/resource.ts'
import { ResourceTable } from '../../ui/resource/table.tsx'
import { deals, isOpen, worthOf } from './deal-pages.tsx'

export const accounts = defineResource<Account, Account>()({
  noun: 'account',
  icon: 'building-2',
  about: 'An account keeps the deals with one company together.',
  role: 'member',
  api: (admin) => admin.accounts,
  title: (account) => account.name,
  fields: { name: text('Name') },
  list: {
    link: 'name',
    columns: ['name'],
    onPhones: [],
    drawer: false,
    intro: 'Companies that deals are made with.',
    live: 'deals',
  },
  detail: async (page, { id, name }) => {
    const { workspace } = placeOf(page)
    const { data, next_before } = await page.admin.deals.list({ workspace }, { account_id: id, limit: 200 })
    const open = data.filter(isOpen)
    return {
      facts: [],
      summary: data.length === 0 ? 'No deals yet.' : `${counted(open.length, 'open deal')}, ${worthOf(open, page)}`,
      isKept: data.length > 0,
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
