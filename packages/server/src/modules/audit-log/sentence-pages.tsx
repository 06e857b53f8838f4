import type { AuditEntry } from '@service/contract/admin/audit'
import type { Child } from 'hono/jsx'
import { words } from '../../ui/format.ts'
import type { WorkspacePage } from '../../ui/page-types.ts'

interface RecordKind {
  readonly noun: string
  /** The route of a record's page, or of the list of its kind. */
  readonly path?: string
}

/** By the first part of an operation. */
const recordKinds: Readonly<Record<string, RecordKind>> = {
  accounts: { noun: 'account', path: '/accounts/{id}' },
  channels: { noun: 'channel', path: '/messages/{id}' },
  deals: { noun: 'deal', path: '/deals/{id}' },
  deliveries: { noun: 'delivery', path: '/deliveries/{id}' },
  devices: { noun: 'device', path: '/attendance/devices' },
  employees: { noun: 'employee', path: '/employees/{id}' },
  encryptionKey: { noun: 'encryption key' },
  integrations: { noun: 'integration', path: '/integrations/{integration}' },
  leads: { noun: 'lead', path: '/leads/{id}' },
  leadSources: { noun: 'lead source', path: '/lead-sources/{source}' },
  members: { noun: 'member', path: '/settings/members' },
  personalTokens: { noun: 'personal token' },
  projects: { noun: 'project', path: '/projects/{id}' },
  rules: { noun: 'rule', path: '/automation/{id}' },
  slaPolicies: { noun: 'SLA policy' },
  tasks: { noun: 'task', path: '/tasks/{id}' },
  tickets: { noun: 'ticket', path: '/tickets/{id}' },
  tokens: { noun: 'API token', path: '/tokens' },
  users: { noun: 'person' },
  webhooks: { noun: 'webhook', path: '/webhooks/{id}' },
  workspaces: { noun: 'workspace', path: '/settings' },
}

/** Verbs whose past tense does not follow from the operation. */
const verbs: Readonly<Record<string, string>> = {
  convert: 'converted',
  rotate: 'rotated',
  rotateSecret: 'replaced the secret of',
  resend: 'resent',
  resetPassword: 'created a password link for',
  revokePreviousSecret: 'revoked the previous secret of',
  runs: 'ran',
  sendTest: 'sent a test to',
  signInLink: 'created a sign-in link for',
}

const pastTense = (action: string) =>
  verbs[action] ?? `${words(action.replace(/[A-Z]/g, ' $&')).toLowerCase()}${action.endsWith('e') ? 'd' : 'ed'}`

/** What happened, as a sentence with a link to the record. */
export function Sentence({ page, entry }: { readonly page: WorkspacePage; readonly entry: AuditEntry }) {
  const [prefix = '', action = ''] = entry.operation.split('.')
  const kind = recordKinds[prefix] ?? { noun: words(prefix.replace(/[A-Z]/g, ' $&')).toLowerCase() }
  const record = <RecordName page={page} entry={entry} kind={kind} />
  return (
    <>
      <strong dir="auto">{actorName(entry)}</strong> {predicate(entry, action, record)}
    </>
  )
}

const actorNames: Readonly<Record<string, string>> = {
  command_line: 'Command line',
  in_process: 'Server program',
  instance_token: 'Admin token',
}

export const actorName = ({ actor, actor_name }: AuditEntry) => actor_name ?? actorNames[actor] ?? words(actor)

const fieldNames = new Intl.ListFormat('en')

function predicate({ before, after, operation }: AuditEntry, action: string, record: Child): Child {
  if (operation.startsWith('sessions.')) return action === 'delete' ? 'signed out' : 'signed in'
  const changed = Object.keys(after ?? {})
  const [field = '', ...others] = changed
  if (action !== 'update' || before === null || field === '')
    return (
      <>
        {action === 'update' ? 'changed' : pastTense(action)} {record}
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
      set the {words(field).toLowerCase()} of {record} to <bdi>{words(value)}</bdi>
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
