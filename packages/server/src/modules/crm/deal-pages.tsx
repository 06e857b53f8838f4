import type { Deal } from '@service/contract'
import { dealStages } from '@service/contract/values'
import { Board, type BoardCard, type BoardColumn } from '../../ui/components/board.tsx'
import { LinkButton } from '../../ui/components/button.tsx'
import { Facts, PageHead } from '../../ui/components/card.tsx'
import { Confirm } from '../../ui/components/dialog.tsx'
import { FilterBar } from '../../ui/components/filter-bar.tsx'
import { wordOptions } from '../../ui/components/form.tsx'
import { Empty } from '../../ui/components/notice.tsx'
import { Avatar, Person } from '../../ui/components/person.tsx'
import { Pager } from '../../ui/components/table.tsx'
import { Segments } from '../../ui/components/tabs.tsx'
import { Day, Time } from '../../ui/components/time.tsx'
import { counted, money, words } from '../../ui/format.ts'
import { addressWith, numberOrUndefined, textOrUndefined, valuesOf } from '../../ui/forms.ts'
import { type PageResult, placeOf, redirect, show, type WorkspacePage } from '../../ui/page-types.ts'
import { DealTable, isOpen, Stage, worthOf } from './deal-table.tsx'

/** What a board shows of a stage at once. */
const mostInColumn = 100

export async function dealList(page: WorkspacePage): Promise<PageResult> {
  const isList = page.query.text('view') === 'list'
  return show({
    title: 'Deals',
    live: true,
    action: page.can('member') ? (
      <LinkButton href={page.link('/deals/new')} look="primary" icon="plus" shortcut="c">
        New deal
      </LinkButton>
    ) : undefined,
    body: (
      <>
        <h1 class="sr">Deals</h1>
        {isList ? await listView(page) : await boardView(page)}
      </>
    ),
  })
}

function Toolbar({ page, said }: { readonly page: WorkspacePage; readonly said?: string }) {
  const isList = page.query.text('view') === 'list'
  return (
    <FilterBar
      path={page.link('/deals')}
      query={page.query}
      kept={['view']}
      filters={isList ? [{ name: 'stage', label: 'Stage', options: wordOptions(dealStages) }] : []}
    >
      <Segments
        label="View"
        tabs={[
          { label: 'Board', href: page.link('/deals'), isCurrent: !isList },
          { label: 'List', href: page.link('/deals?view=list'), isCurrent: isList },
        ]}
      />
      {said !== undefined && (
        <span class="quiet" id="deal-sum" data-live="deals">
          {said}
        </span>
      )}
    </FilterBar>
  )
}

async function boardView(page: WorkspacePage) {
  const at = { workspace: page.workspace.id }
  const found = await Promise.all(
    dealStages.map(async (stage) => ({ stage, ...(await page.admin.deals.list(at, { stage, limit: mostInColumn })) })),
  )
  const all = found.flatMap(({ data }) => data)
  if (all.length === 0) return <NoDeals page={page} />
  const open = all.filter(isOpen)
  const columnOf = ({ stage, data, next_before }: (typeof found)[number]): BoardColumn => ({
    key: stage,
    title: words(stage),
    cards: data.map((deal) => cardOf(page, deal)),
    aside: money(worthOf(data), page.workspace.currency),
    ...(next_before === null ? {} : { more: page.link(`/deals?view=list&stage=${stage}`) }),
  })
  const columns = found.map(columnOf)
  return (
    <>
      <Toolbar page={page} said={`${open.length} open, ${money(worthOf(open), page.workspace.currency)}`} />
      <Board
        id="deal-board"
        live="deals"
        label="Deals by stage"
        field="stage"
        canMove={page.can('member')}
        groups={[...columns.slice(0, -2).map((column) => [column]), columns.slice(-2)]}
      />
    </>
  )
}

const cardOf = (page: WorkspacePage, { id, title, account, owner, amount, created_at }: Deal): BoardCard => ({
  id,
  title,
  href: page.link(`/deals/${id}`),
  moveTo: page.link(`/deals/${id}/stage`),
  children: (
    <>
      {account !== null && <bdi class="clip whole">{account.name}</bdi>}
      {owner !== null && (
        <span title={owner.name}>
          <Avatar name={owner.name} />
          <bdi class="sr">{owner.name}</bdi>
        </span>
      )}
      <Time at={created_at} />
      <span class="push">{money(amount, page.workspace.currency)}</span>
    </>
  ),
})

async function listView(page: WorkspacePage) {
  const { query } = page
  const { data, next_before } = await page.admin.deals.list(
    { workspace: page.workspace.id },
    { stage: textOrUndefined(query, 'stage'), before: numberOrUndefined(query, 'before') },
  )
  const now = valuesOf(query, ['view', 'stage'])
  const address = (change: Readonly<Record<string, string>>) => addressWith(page.link('/deals'), { ...now, ...change })
  return (
    <>
      <Toolbar page={page} />
      <div id="deal-list" data-live="deals">
        {data.length === 0 ? (
          <NoDeals page={page} />
        ) : (
          <>
            <DealTable page={page} deals={data} caption="Deals" bleed />
            <Pager
              shown={counted(data.length, 'deal')}
              older={next_before === null ? undefined : address({ before: String(next_before) })}
              newest={query.has('before') ? address({}) : undefined}
            />
          </>
        )}
      </div>
    </>
  )
}

function NoDeals({ page }: { readonly page: WorkspacePage }) {
  if (page.query.has('stage'))
    return (
      <Empty
        icon="search"
        title="No deal is in this stage"
        actions={<LinkButton href={page.link('/deals?view=list')}>All deals</LinkButton>}
      />
    )
  return (
    <Empty
      icon="handshake"
      title="No deals yet"
      actions={page.can('member') && <LinkButton href={page.link('/deals/new')}>New deal</LinkButton>}
    >
      A deal is what an account may buy. It goes through four stages until it is won or lost.
    </Empty>
  )
}

export async function dealDetail(page: WorkspacePage): Promise<PageResult> {
  const deal = await page.admin.deals.get(placeOf(page))
  const { id, title, stage, account, owner } = deal
  return show({
    title,
    live: true,
    crumbs: [{ label: 'Deals', href: page.link('/deals') }],
    body: (
      <div class="stack" id={`deal-detail-${id}`} data-live="deals">
        <PageHead
          title={title}
          badge={<Stage stage={stage} />}
          actions={
            page.can('member') && (
              <>
                <Confirm
                  id={`delete-deal-${id}`}
                  button={{ icon: 'trash-2', label: 'Delete', look: 'quiet' }}
                  title={`Delete “${title}”?`}
                  action={page.link(`/deals/${id}/delete`)}
                  does="Delete deal"
                >
                  This cannot be undone.
                </Confirm>
                <LinkButton id="edit-deal" href={page.link(`/deals/${id}/edit`)} icon="pencil" shortcut="e">
                  Edit
                </LinkButton>
              </>
            )
          }
        />
        <Facts
          facts={[
            ['Amount', money(deal.amount, page.workspace.currency)],
            [
              'Account',
              account === null ? (
                '–'
              ) : (
                <a dir="auto" href={page.link(`/accounts/${account.id}`)}>
                  {account.name}
                </a>
              ),
            ],
            ['Owner', <Person name={owner?.name} />],
            ['Expected to close', <Day on={deal.expected_close_at} />],
            ['Created', <Time at={deal.created_at} exact />],
          ]}
        />
      </div>
    ),
  })
}

/** To another stage. */
export async function moveDeal(page: WorkspacePage): Promise<PageResult> {
  const { title, stage } = await page.admin.deals.update(placeOf(page), { stage: page.form.text('stage') })
  return redirect(page.cameFrom, `${title} is in ${words(stage).toLowerCase()}`)
}

export async function deleteDeal(page: WorkspacePage): Promise<PageResult> {
  const place = placeOf(page)
  const { title } = await page.admin.deals.get(place)
  await page.admin.deals.delete(place)
  return redirect(page.link('/deals'), `${title} is deleted`)
}
