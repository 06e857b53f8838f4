import type { InboundDelivery } from '@service/contract/admin/inbound-deliveries'
import type { IntegrationName } from '@service/contract/admin/integration-input'
import type { Integration } from '@service/contract/admin/integrations'
import { Badge } from '../../ui/components/badge.tsx'
import { PageHead } from '../../ui/components/card.tsx'
import { Icon } from '../../ui/components/icon.tsx'
import { RowLink, Table } from '../../ui/components/table.tsx'
import { Time } from '../../ui/components/time.tsx'
import type { IconName } from '../../ui/icon-names.ts'
import { type PageResult, show, type WorkspacePage } from '../../ui/page-types.ts'

export async function integrationList(page: WorkspacePage): Promise<PageResult> {
  const workspace = page.workspace.id
  const { data } = await page.admin.integrations.list({ workspace })
  const newest = await Promise.all(data.map(({ integration }) => newestOf(page, integration)))
  return show({
    title: 'Integrations',
    live: true,
    body: (
      <>
        <PageHead title="Integrations">What other services send to this workspace.</PageHead>
        <Table
          id="integrations"
          live="integrations inbound"
          bleed
          caption="Integrations"
          columns={[{ name: 'Integration', look: 'wide' }, { name: 'State' }, { name: 'Last event', look: 'right' }]}
        >
          {data.map((integration, index) => (
            <IntegrationRow page={page} integration={integration} newest={newest[index]} />
          ))}
        </Table>
        <p class="pager meta">
          <span>
            Leads have sources of their own, and devices secrets of their own. What is sent to others is under{' '}
            <a href={page.link('/webhooks')}>Webhooks</a>.
          </span>
        </p>
      </>
    ),
  })
}

async function newestOf(page: WorkspacePage, integration: string): Promise<InboundDelivery | undefined> {
  const { data } = await page.admin.inboundDeliveries.list({ workspace: page.workspace.id }, { integration, limit: 1 })
  return data[0]
}

interface RowProps {
  readonly page: WorkspacePage
  readonly integration: Integration
  readonly newest: InboundDelivery | undefined
}

function IntegrationRow({ page, integration: { integration, enabled, updated_at }, newest }: RowProps) {
  const { title, icon, about } = integrationsByName[integration]
  return (
    <tr>
      <td class="wide">
        <div class="with-icon">
          <Icon name={icon} />
          <RowLink id={`open-${integration}`} href={page.link(`/integrations/${integration}`)}>
            {title}
          </RowLink>
          <span class="meta wide-only clip">{about}</span>
        </div>
      </td>
      <td class="tight">
        <StateBadge isEnabled={enabled} isSetUp={updated_at !== null} hasReceived={newest !== undefined} />
      </td>
      <td class="right meta">
        <Time at={newest?.received_at} />
      </td>
    </tr>
  )
}

interface BadgeProps {
  readonly isEnabled: boolean
  readonly isSetUp: boolean
  readonly hasReceived: boolean
}

export function StateBadge({ isEnabled, isSetUp, hasReceived }: BadgeProps) {
  if (!isSetUp) return <Badge tone="mute">Not set up</Badge>
  if (!isEnabled) return <Badge tone="mute">Off</Badge>
  return hasReceived ? <Badge tone="ok">Connected</Badge> : <Badge tone="info">Waiting</Badge>
}

interface About {
  readonly title: string
  readonly icon: IconName
  /** What it does, in one sentence. */
  readonly about: string
}

/** The integrations as people know them. */
export const integrationsByName: Readonly<Record<IntegrationName, About>> = {
  errors: {
    title: 'Error monitor',
    icon: 'bug',
    about: 'Programs report their errors here; each kind of error becomes one ticket.',
  },
  attendance: {
    title: 'Attendance',
    icon: 'fingerprint',
    about: 'Terminals and door readers send the punches of employees.',
  },
  github: { title: 'GitHub', icon: 'git-branch', about: 'Pushes, pull requests and issues of repositories.' },
  gitlab: { title: 'GitLab', icon: 'git-branch', about: 'Pushes, merge requests and issues of projects.' },
  bitbucket: { title: 'Bitbucket', icon: 'git-branch', about: 'Pushes, pull requests and issues of repositories.' },
}
