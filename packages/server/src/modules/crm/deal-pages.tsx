import type { Deal } from '@service/contract'
import { DealInput, DealPatch } from '@service/contract/admin/crm-input'
import { dealStages } from '@service/contract/values'
import { Avatar } from '../../ui/components/person.tsx'
import { Time } from '../../ui/components/time.tsx'
import { money as moneyText, words } from '../../ui/format.ts'
import type { WorkspacePage } from '../../ui/page-types.ts'
import { choice, day, linked, moment, money, person, reference, text } from '../../ui/resource/fields.tsx'
import { defineResource } from '../../ui/resource/resource.ts'

export const deals = defineResource<Deal, Deal>()({
  noun: 'deal',
  icon: 'handshake',
  about: 'A deal is what an account may buy. It goes through four stages until it is won or lost.',
  role: 'member',
  api: (admin) => admin.deals,
  title: (deal) => deal.title,
  fields: {
    title: text('Title', { column: 'Deal' }),
    stage: choice('Stage', dealStages, { tones: { won: 'ok', lost: 'bad' } }),
    amount: money('Amount'),
    account_id: reference('Account', 'accounts', { none: 'None' }),
    owner_id: reference('Owner', 'members', { none: 'Nobody' }),
    expected_close_at: day('Expected to close', { column: 'Closes' }),
    account: linked('Account', '/accounts'),
    owner: person('Owner'),
    created_at: moment('Created'),
  },
  list: {
    link: 'title',
    columns: ['title', 'stage', 'owner', 'expected_close_at', 'amount'],
    onPhones: ['amount'],
    beside: ({ account }) => <bdi class="quiet clip wide-only">{account?.name}</bdi>,
    second: ({ stage, account }) => [words(stage), account?.name].filter(Boolean).join(' · '),
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
    aside: worthOf,
    summary: (rows, page) => `${rows.filter(isOpen).length} open, ${worthOf(rows.filter(isOpen), page)}`,
  },
  detail: () => ({ badge: 'stage', facts: ['amount', 'account', 'owner', 'expected_close_at', 'created_at'] }),
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

export const isOpen = ({ stage }: Deal): boolean => stage !== 'won' && stage !== 'lost'

/** What deals are worth together; those without an amount count as nothing. */
export function worthOf(rows: readonly Deal[], { workspace: { currency } }: WorkspacePage): string {
  return moneyText(
    rows.reduce((sum, { amount }) => sum + Number(amount ?? 0), 0),
    currency,
  )
}
