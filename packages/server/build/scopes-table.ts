import { adminBasePath, apiBasePath, apiRoutes, type Scope, scopeNames, scopes } from '@service/contract'
import { adminRoutes } from '@service/contract/admin'
import { markdownTable } from './markdown-table.ts'

/** The routes that a scope opens. Long lists are shortened to their resources. */
function routesOf(scope: Scope): string[] {
  const api = apiRoutes.filter((route) => route.scope === scope)
  const admin = adminRoutes.filter((route) => 'scope' in route && route.scope === scope)
  const resources = new Set(admin.map(({ path }) => path.split('/{')[1]?.split('/')[1]))
  return [
    ...api.map(({ method, path }) => `\`${method} ${apiBasePath}${path}\``),
    ...Array.from(resources, (resource) => `\`${adminBasePath}/workspaces/{workspace}/${resource}\``),
  ]
}

/** The scopes of tokens. */
export function scopesTable(): string {
  const rows = scopeNames.map((name) => {
    const { grants, role } = scopes[name]
    return [`\`${name}\``, grants, `\`${role}\``, routesOf(name).join(' · ')]
  })
  return markdownTable(['scope', 'allows to', 'needs the role', 'routes'], rows)
}
