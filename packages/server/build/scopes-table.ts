// Updates the table of scopes in docs/guides/authentication.md. `node packages/server/build/scopes-table.ts --write`
import { readFile, writeFile } from 'node:fs/promises'
import { adminBasePath, apiBasePath, apiRoutes, type Scope, scopeNames, scopes } from '@service/contract'
import { adminRoutes } from '@service/contract/admin'

export const authenticationPage = new URL('../../../docs/guides/authentication.md', import.meta.url)

/** Returns the page with an updated table. */
export const withScopes = (markdown: string): string =>
  markdown.replace(/(<!-- scopes -->\n).*(<!-- \/scopes -->)/s, (_, begin, end) => `${begin}${table()}\n${end}`)

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

function table(): string {
  const rows = scopeNames.map((name) => {
    const { grants, role } = scopes[name]
    return `| \`${name}\` | ${grants} | \`${role}\` | ${routesOf(name).join(' · ')} |`
  })
  return ['| scope | allows to | needs the role | routes |', '|---|---|---|---|', ...rows].join('\n')
}

if (process.argv.includes('--write'))
  await writeFile(authenticationPage, withScopes(await readFile(authenticationPage, 'utf8')))
