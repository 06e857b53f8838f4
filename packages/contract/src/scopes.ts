/**
 * What a bearer token may do (§5), and the lowest role that may do the same in administration. A token keeps a scope only
 * while its person has that role.
 */
export const scopes = {
  'tickets:read': { grants: 'list tickets', role: 'viewer', status: 'live' },
  'tickets:write': { grants: 'create tickets', role: 'member', status: 'live' },
  'tasks:write': { grants: 'create tasks', role: 'member', status: 'live' },
  'projects:read': { grants: 'list projects', role: 'viewer', status: 'live' },
  'hrms:read': { grants: 'list employee profiles', role: 'viewer', status: 'live' },
  'hrms:write': { grants: 'record attendance punches', role: 'member', status: 'live' },
  'crm:read': { grants: 'list deals', role: 'viewer', status: 'live' },
  'crm:write': { grants: 'create leads', role: 'member', status: 'live' },
  'webhooks:manage': { grants: 'manage outbound subscriptions', role: 'admin', status: 'planned' },
} as const satisfies Record<string, { grants: string; role: 'viewer' | 'member' | 'admin'; status: 'live' | 'planned' }>

export type Scope = keyof typeof scopes

export const scopeNames = Object.keys(scopes) as Scope[] // Object.keys forgets the literal keys

export const liveScopes = scopeNames.filter((name) => scopes[name].status === 'live')
