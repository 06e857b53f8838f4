/** What a bearer token may do (§5). */
export const scopes = {
  'tickets:read': { grants: 'list tickets', status: 'live' },
  'tickets:write': { grants: 'create tickets', status: 'live' },
  'tasks:write': { grants: 'create tasks', status: 'live' },
  'projects:read': { grants: 'list projects', status: 'live' },
  'hrms:read': { grants: 'list employee profiles', status: 'live' },
  'hrms:write': { grants: 'record attendance punches', status: 'live' },
  'crm:read': { grants: 'list deals', status: 'live' },
  'crm:write': { grants: 'create leads', status: 'live' },
  'webhooks:manage': { grants: 'manage outbound subscriptions', status: 'planned' },
} as const satisfies Record<string, { grants: string; status: 'live' | 'planned' }>

export type Scope = keyof typeof scopes

export const scopeNames = Object.keys(scopes) as Scope[] // Object.keys forgets the literal keys

export const liveScopes = scopeNames.filter((name) => scopes[name].status === 'live')
