import type { Database } from '../../store/database.ts'

/** What pages show, each with the tables that it is made of. A page marks its parts with these words. */
export const topicTables = {
  tickets: ['tickets', 'ticket_tags', 'ticket_history', 'sla_policies'],
  tasks: ['tasks', 'task_tags'],
  projects: ['projects'],
  messages: ['channels', 'messages'],
  members: ['members', 'users', 'workspaces'],
  tokens: ['api_tokens', 'personal_tokens'],
  employees: ['employees', 'devices'],
  punches: ['punches', 'attendance_sessions', 'unmatched_punches'],
  deals: ['deals', 'accounts'],
  leads: ['leads', 'lead_enquiries', 'lead_sources'],
  activity: ['activities', 'git_issue_tickets'],
  errors: ['error_groups', 'error_group_days', 'error_samples'],
  webhooks: ['subscriptions', 'subscription_events'],
  deliveries: ['deliveries', 'delivery_attempts', 'delivery_jobs', 'unrouted_events'],
  inbound: ['inbound_deliveries', 'git_deliveries'],
  integrations: ['integrations'],
  automation: ['automation_rules', 'automation_runs', 'sla_policies'],
  audit: ['audit_log'],
} as const satisfies Record<string, readonly (keyof Database)[]>

const topicsByTable = new Map<string, readonly string[]>()
for (const [topic, tables] of Object.entries(topicTables))
  for (const table of tables) topicsByTable.set(table, [...(topicsByTable.get(table) ?? []), topic])

/** The topics of tables that have changed; no table stands for any, and so for all topics. */
export function topicsOf(tables: readonly string[]): string[] {
  if (tables.length === 0) return Object.keys(topicTables)
  return [...new Set(tables.flatMap((table) => topicsByTable.get(table) ?? []))]
}
