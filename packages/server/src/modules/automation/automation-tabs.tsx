import { Tabs } from '../../ui/components/tabs.tsx'
import type { WorkspacePage } from '../../ui/page-types.ts'
import type { Names } from './rule-words.ts'

export function AutomationTabs({
  page,
  current,
}: {
  readonly page: WorkspacePage
  readonly current: 'rules' | 'runs' | 'sla'
}) {
  const tabs = [
    { label: 'Rules', href: page.link('/automation'), isCurrent: current === 'rules' },
    { label: 'Runs', href: page.link('/automation/runs'), isCurrent: current === 'runs' },
    { label: 'SLA policies', href: page.link('/automation/sla'), isCurrent: current === 'sla' },
  ]
  return <Tabs label="Automation" tabs={tabs} />
}

/** Who and what rules may name. */
export async function namesIn(page: WorkspacePage): Promise<Names> {
  const at = { workspace: page.workspace.id }
  const [members, channels] = await Promise.all([
    page.admin.members.list(at, { limit: 200 }),
    page.admin.channels.list(at, { limit: 200 }),
  ])
  return {
    people: new Map(members.data.map(({ id, name }) => [id, name])),
    channels: new Map(channels.data.map(({ id, name }) => [id, name])),
  }
}
