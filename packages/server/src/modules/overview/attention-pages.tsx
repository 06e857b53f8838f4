import { maxCount, maxCountUpTo } from '@service/contract/admin/pages'
import { ActionButton } from '../../ui/components/button.tsx'
import { Card } from '../../ui/components/card.tsx'
import { Icon } from '../../ui/components/icon.tsx'
import { authorOf } from '../../ui/components/person.tsx'
import { pluralize, pluralizeCounted, words } from '../../ui/format.ts'
import type { IconName } from '../../ui/icon-names.ts'
import type { WorkspacePage } from '../../ui/page-types.ts'
import type { Counted } from '../../ui/resource/resource.ts'
import { endpointName, timeUntilOff } from '../webhooks/endpoint-state.ts'

/** Something that needs attention today. */
interface AttentionItem {
  readonly icon: IconName
  readonly text: string
  readonly detail?: string
  /** The page that shows it. */
  readonly path: string
  /** Where to report that it is done, if its disappearance needs that. */
  readonly donePath?: string
}

const dayMs = 86_400_000

/** What needs attention today and the reader may see. */
export async function findAttention(page: WorkspacePage): Promise<readonly AttentionItem[]> {
  const [mentions, ...items] = await Promise.all([
    loadMentions(page),
    slaAtRisk(page),
    unassigned(page),
    failingEndpoints(page),
    newErrors(page),
  ])
  return [...mentions, ...items.filter((item) => item !== undefined)]
}

const maxMentions = 5

async function loadMentions({ admin, workspace }: WorkspacePage): Promise<readonly AttentionItem[]> {
  const { data } = await admin.mentions.list({ workspace: workspace.id })
  return data.slice(0, maxMentions).map(({ id, body, ticket_id, channel_id, ...message }) => ({
    icon: 'message-square',
    text: `${authorOf(message)} mentioned you`,
    detail: body.slice(0, 120),
    path: ticket_id === null ? `/messages/${channel_id}` : `/tickets/${ticket_id}`,
    donePath: `/mentions/${id}`,
  }))
}

type Found = Promise<AttentionItem | undefined>

async function slaAtRisk({ admin, workspace }: WorkspacePage): Found {
  const counted = await admin.tickets.count({ workspace: workspace.id }, { sla: 'at_risk', up_to: maxCountUpTo })
  if (counted.count === 0) return undefined
  const text = `${atStart(counted, 'ticket')} ${counted.count === 1 ? 'is' : 'are'} near or past an SLA target`
  return { icon: 'clock', text, path: '/tickets?sla=at_risk&sort=sla' }
}

async function unassigned({ admin, workspace }: WorkspacePage): Found {
  const filter = { status: 'active', assigned_to: 'none', up_to: maxCountUpTo } as const
  const counted = await admin.tickets.count({ workspace: workspace.id }, filter)
  if (counted.count === 0) return undefined
  const text = `${atStart(counted, 'ticket')} ${counted.count === 1 ? 'has' : 'have'} no assignee`
  return { icon: 'ticket', text, path: '/tickets?status=active&assigned_to=none' }
}

async function failingEndpoints(page: WorkspacePage): Found {
  if (!page.can('admin')) return undefined
  const at = { workspace: page.workspace.id }
  const [first] = (await page.admin.webhooks.list(at, { state: 'failing', limit: 1 })).data
  if (first === undefined) return undefined
  const { failing } = await page.admin.webhooks.count(at)
  const switchesOff = `switches off ${timeUntilOff(first, page.now)}`
  if (failing === 1) {
    const text = `${endpointName(first)} is failing`
    return { icon: 'webhook', text, detail: words(switchesOff), path: `/webhooks/${first.id}` }
  }
  const text = `${atMost(failing, 'endpoint')} are failing`
  return { icon: 'webhook', text, detail: `The first ${switchesOff}`, path: '/webhooks?state=failing' }
}

async function newErrors({ admin, workspace, now }: WorkspacePage): Found {
  const since = new Date(now - dayMs).toISOString()
  const { count } = await admin.errorReports.count({ workspace: workspace.id }, { status: 'open', since })
  if (count === 0) return undefined
  return {
    icon: 'bug',
    text: `${atMost(count, 'new error')} in the last 24 hours`,
    path: '/errors?status=open&first_seen=day',
  }
}

const atStart = (counted: Counted, noun: string) => words(pluralizeCounted(counted, noun))

const atMost = (count: number, noun: string) =>
  count < maxCount ? pluralize(count, noun) : `${maxCount - 1}+ ${noun}s`

export function Attention({ page, items }: { readonly page: WorkspacePage; readonly items: readonly AttentionItem[] }) {
  return (
    <div id="attention" data-live="tickets messages webhooks deliveries errors">
      {items.length > 0 && (
        <Card title="Needs attention today" flush>
          <ul class="palette-list">
            {items.map(({ icon, text, detail, path, donePath }) => (
              <li class={donePath === undefined ? undefined : 'row'}>
                <a href={page.link(path)}>
                  <Icon name={icon} />
                  <bdi>{text}</bdi>
                  {detail !== undefined && <span class="meta">{detail}</span>}
                </a>
                {donePath !== undefined && (
                  <ActionButton action={page.link(donePath)} variant="quiet" small icon="check">
                    Done
                  </ActionButton>
                )}
              </li>
            ))}
          </ul>
        </Card>
      )}
    </div>
  )
}
