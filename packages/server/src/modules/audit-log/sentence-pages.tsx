import type { adminRoutes } from '@service/contract/admin'
import type { AuditEntry } from '@service/contract/admin/audit'
import { callerName } from '../../core/admin-caller.ts'
import { words } from '../../ui/format.ts'
import type { WorkspacePage } from '../../ui/page-types.ts'

interface RecordKind {
  readonly noun: string
  /** The route of a record's page, or of the list of its kind. */
  readonly path?: string
}

const kinds = {
  account: { noun: 'account', path: '/accounts/{id}' },
  channel: { noun: 'channel', path: '/messages/{id}' },
  deal: { noun: 'deal', path: '/deals/{id}' },
  delivery: { noun: 'delivery', path: '/deliveries/{id}' },
  device: { noun: 'device', path: '/attendance/devices' },
  employee: { noun: 'employee', path: '/employees/{id}' },
  inbound: { noun: 'received body' },
  integration: { noun: 'integration', path: '/integrations/{integration}' },
  lead: { noun: 'lead', path: '/leads/{id}' },
  leadSource: { noun: 'lead source', path: '/lead-sources/{source}' },
  member: { noun: 'member', path: '/settings/members' },
  project: { noun: 'project', path: '/projects/{id}' },
  punch: { noun: 'punch', path: '/attendance/punches' },
  unmatchedPunch: { noun: 'unmatched punch' },
  rule: { noun: 'rule', path: '/automation/{id}' },
  sharedView: { noun: 'shared view' },
  slaPolicy: { noun: 'SLA policy', path: '/automation/sla' },
  task: { noun: 'task', path: '/tasks/{id}' },
  ticket: { noun: 'ticket', path: '/tickets/{id}' },
  token: { noun: 'API token', path: '/tokens' },
  webhook: { noun: 'webhook', path: '/webhooks/{id}' },
  workspace: { noun: 'workspace', path: '/settings' },
} as const satisfies Record<string, RecordKind>

type Route = (typeof adminRoutes)[number]
type InWorkspace = Extract<Route, { path: `/workspaces/{workspace}${string}` }>
/** The operations whose entries belong to a workspace. */
type Operation =
  | Exclude<InWorkspace, { method: 'GET' } | { audited: false }>['operation']
  | 'setup.complete'
  | 'workspaces.create'

/** By operation: a predicate, which may end with the kind of the record. */
const predicates: Readonly<Record<Operation, string | `${string}{${keyof typeof kinds}}`>> = {
  'setup.complete': 'set up the server',
  'workspaces.create': 'created {workspace}',
  'workspaces.update': 'changed {workspace}',
  'members.create': 'added {member}',
  'members.update': 'changed {member}',
  'members.delete': 'removed {member}',
  'invitations.create': 'invited {member}',
  'views.update': 'changed their saved views',
  'sharedViews.create': 'created {sharedView}',
  'sharedViews.update': 'renamed {sharedView}',
  'sharedViews.delete': 'removed {sharedView}',
  'tokens.create': 'created {token}',
  'tokens.revoke': 'revoked {token}',
  'tickets.create': 'created {ticket}',
  'tickets.update': 'changed {ticket}',
  'tasks.create': 'created {task}',
  'tasks.update': 'changed {task}',
  'tasks.delete': 'deleted {task}',
  'projects.create': 'created {project}',
  'projects.update': 'changed {project}',
  'channels.create': 'created {channel}',
  'channels.update': 'changed {channel}',
  'channels.delete': 'deleted {channel}',
  'messages.create': 'posted a message',
  'mentions.delete': 'saw a mention',
  'integrations.update': 'changed {integration}',
  'integrations.rotateSecret': 'replaced the secret of {integration}',
  'webhooks.create': 'created {webhook}',
  'webhooks.update': 'changed {webhook}',
  'webhooks.delete': 'deleted {webhook}',
  'webhooks.enable': 'enabled {webhook}',
  'webhooks.disable': 'disabled {webhook}',
  'webhooks.rotateSecret': 'replaced the secret of {webhook}',
  'webhooks.revokePreviousSecret': 'revoked the previous secret of {webhook}',
  'webhooks.sendTest': 'sent a test event to {webhook}',
  'webhooks.recover': 'resent the deliveries of {webhook}',
  'webhooks.replayMissing': 'sent the missed events to {webhook}',
  'deliveries.resend': 'resent {delivery}',
  'events.trigger': 'triggered a test event',
  'employees.create': 'created {employee}',
  'employees.update': 'changed {employee}',
  'employees.delete': 'deleted {employee}',
  'devices.create': 'created {device}',
  'devices.update': 'changed {device}',
  'devices.delete': 'deleted {device}',
  'devices.rotateSecret': 'replaced the secret of {device}',
  'attendance.replay': 'replayed {unmatchedPunch}',
  'punches.create': 'added {punch}',
  'punches.update': 'corrected {punch}',
  'punches.delete': 'deleted {punch}',
  'inboundDeliveries.replay': 'replayed {inbound}',
  'accounts.create': 'created {account}',
  'accounts.update': 'changed {account}',
  'accounts.delete': 'deleted {account}',
  'deals.create': 'created {deal}',
  'deals.update': 'changed {deal}',
  'deals.delete': 'deleted {deal}',
  'leads.create': 'created {lead}',
  'leads.update': 'changed {lead}',
  'leads.convert': 'converted {lead}',
  'leadSources.update': 'changed {leadSource}',
  'leadSources.rotateSecret': 'replaced the secret of {leadSource}',
  'rules.create': 'created {rule}',
  'rules.update': 'changed {rule}',
  'rules.delete': 'deleted {rule}',
  'rules.dryRun': 'tested a rule',
  'rules.dryRunStored': 'tested {rule}',
  'slaPolicies.update': 'changed {slaPolicy}',
}

/** What happened, as a sentence with a link to the record. */
export function Sentence({ page, entry }: { readonly page: WorkspacePage; readonly entry: AuditEntry }) {
  return (
    <>
      <strong dir="auto">{actorName(entry)}</strong> <Predicate page={page} entry={entry} />
    </>
  )
}

export const actorName = ({ actor, actor_name }: AuditEntry) => actor_name ?? callerName(actor) ?? words(actor)

const fieldNames = new Intl.ListFormat('en')
/** Fields with known values, which the other pages show as words too. */
const fieldsWithWords: ReadonlySet<string> = new Set(['status', 'stage', 'priority', 'role', 'employment_type'])

function Predicate({ page, entry }: { readonly page: WorkspacePage; readonly entry: AuditEntry }) {
  const { before, after, operation } = entry
  const predicate = (predicates as Readonly<Record<string, string>>)[operation]
  // An earlier version may have had other operations.
  if (predicate === undefined) return <code>{operation}</code>
  const [verb = '', kind] = predicate.split(/[{}]/)
  if (kind === undefined) return <>{predicate}</>
  const record = <RecordName page={page} entry={entry} kind={kinds[kind as keyof typeof kinds]} />
  const changed = Object.keys(after ?? {})
  const [field = '', ...others] = changed
  if (!operation.endsWith('.update') || before === null || field === '')
    return (
      <>
        {verb}
        {record}
      </>
    )
  const value = after?.[field]
  if (others.length === 0 && field === 'enabled')
    return (
      <>
        {value === true ? 'enabled' : 'disabled'} {record}
      </>
    )
  const isShort = typeof value === 'string' && value.length < 40
  if (others.length > 0 || !isShort)
    return (
      <>
        changed the {fieldNames.format(changed.map((name) => words(name).toLowerCase()))} of {record}
      </>
    )
  return (
    <>
      set the {words(field).toLowerCase()} of {record} to <bdi>{fieldsWithWords.has(field) ? words(value) : value}</bdi>
    </>
  )
}

function RecordName({
  page,
  entry: { operation, resource, resource_name },
  kind: { noun, path },
}: {
  readonly page: WorkspacePage
  readonly entry: AuditEntry
  readonly kind: RecordKind
}) {
  if (resource === null) return <>{noun}</>
  const name = resource_name ?? resource
  const isGone = operation.endsWith('.delete')
  if (path === undefined || isGone || !page.has(path))
    return (
      <>
        {noun} <bdi>{name}</bdi>
      </>
    )
  return (
    <>
      {noun}{' '}
      <a dir="auto" href={page.link(path.replace(/\{\w+\}/, encodeURIComponent(resource)))}>
        {name}
      </a>
    </>
  )
}
