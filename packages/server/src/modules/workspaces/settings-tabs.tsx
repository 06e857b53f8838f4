import { Tabs } from '../../ui/components/tabs.tsx'
import type { WorkspacePage } from '../../ui/page-types.ts'

const places = [
  { label: 'Workspace', path: '/settings', role: 'viewer' },
  { label: 'Members', path: '/settings/members', role: 'viewer' },
  { label: 'Audit log', path: '/settings/audit', role: 'admin' },
  { label: 'System', path: '/settings/system', role: 'instance' },
] as const

/** The settings that the reader may see. */
export function SettingsTabs({
  page,
  current,
}: {
  readonly page: WorkspacePage
  readonly current: (typeof places)[number]['path']
}) {
  const tabs = places
    .filter(({ role }) => page.can(role))
    .map(({ label, path }) => ({ label, href: page.link(path), isCurrent: path === current }))
  return <Tabs label="Settings" tabs={tabs} />
}

export const settingsCrumbs = (page: WorkspacePage) => [{ label: 'Settings', href: page.link('/settings') }]
