import type { IconName } from './icon-names.ts'

/** A sidebar entry, relative to the workspace. */
interface NavItem {
  readonly label: string
  readonly path: string
  readonly icon: IconName
}

export interface NavGroup {
  readonly label: string | undefined
  readonly items: readonly NavItem[]
}

/** The sidebar. Entries whose pages this server does not have are omitted. */
export const navigation: readonly NavGroup[] = [
  {
    label: undefined,
    items: [
      { label: 'Overview', path: '/overview', icon: 'layout-dashboard' },
      { label: 'Tickets', path: '/tickets', icon: 'ticket' },
      { label: 'Tasks', path: '/tasks', icon: 'square-check' },
      { label: 'Projects', path: '/projects', icon: 'folder-kanban' },
      { label: 'Messages', path: '/messages', icon: 'message-square' },
    ],
  },
  {
    label: 'People',
    items: [
      { label: 'Employees', path: '/employees', icon: 'users' },
      { label: 'Attendance', path: '/attendance', icon: 'clock' },
    ],
  },
  {
    label: 'CRM',
    items: [
      { label: 'Deals', path: '/deals', icon: 'handshake' },
      { label: 'Accounts', path: '/accounts', icon: 'building-2' },
      { label: 'Leads', path: '/leads', icon: 'user-plus' },
      { label: 'Lead sources', path: '/lead-sources', icon: 'megaphone' },
    ],
  },
  {
    label: 'Developers',
    items: [
      { label: 'Activity', path: '/activity', icon: 'activity' },
      { label: 'Errors', path: '/errors', icon: 'bug' },
      { label: 'Webhooks', path: '/webhooks', icon: 'webhook' },
      { label: 'Integrations', path: '/integrations', icon: 'plug' },
      { label: 'API tokens', path: '/tokens', icon: 'key-round' },
      { label: 'Test double', path: '/test-double', icon: 'flask-conical' },
    ],
  },
  {
    label: 'Configure',
    items: [
      { label: 'Automation', path: '/automation', icon: 'workflow' },
      { label: 'Settings', path: '/settings', icon: 'settings' },
    ],
  },
]
