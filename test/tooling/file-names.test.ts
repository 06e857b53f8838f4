import { basename, dirname } from 'node:path'
import { describe, expect, it } from 'vitest'
import { listFiles, listSources, readRepoFile } from './repo.ts'

const modules = 'packages/server/src/modules/'

/** Common names for the files of a module, and the names used in this repository. */
const moduleFileNames: Record<string, string> = {
  ...{ schema: 'table', tables: 'table', model: 'table', models: 'table', entity: 'table' },
  ...{ query: 'queries', repository: 'queries', dao: 'queries', db: 'queries', sql: 'queries', store: 'queries' },
  ...{ services: 'service', usecases: 'service', logic: 'service', manager: 'service' },
  ...{ route: 'routes', router: 'routes', controller: 'routes', handler: 'routes', handlers: 'routes', api: 'routes' },
  ...{ webhook: 'inbound', ingest: 'inbound', page: 'pages', view: 'pages', views: 'pages' },
  ...{ dto: 'input', inputs: 'input', body: 'input', types: 'a file named after the idea' },
}

/** The files that others require: queries need a table, and routes, inbound webhooks, and pages need a service. */
const requirements = { queries: 'table', routes: 'service', inbound: 'service', pages: 'service' }

/** Members revoke tokens, and tokens build on members, so the statement for it is in a module below both. */
const withoutTable = 'token-revocation'

const stem = (path: string) => basename(path).replace(/\.\w+$/, '')

/** `queries` for `queries.ts` and `ticket-queries.ts`. */
const roleOf = (path: string) => stem(path).split('-').at(-1) ?? ''

const moduleFiles = () =>
  listSources().filter((path) => path.startsWith(modules) && dirname(path) !== modules.slice(0, -1))
const moduleOf = (path: string) => path.slice(modules.length).split('/')[0] ?? ''

describe('file names', () => {
  it('do not include catch-all names', () => {
    const catchAll = /\/(utils?|helpers?|common|misc|shared|lib)(\/|\.tsx?$)/
    expect(listSources().filter((path) => catchAll.test(path))).toEqual([])
  })

  it('are the same in all modules', () => {
    const renamed = moduleFiles()
      .filter((path) => path.split('/').length === modules.split('/').length + 1)
      .flatMap((path) =>
        moduleFileNames[stem(path)] ? [`${path} should be called ${moduleFileNames[stem(path)]}`] : [],
      )
    expect(renamed).toEqual([])
  })

  it('include the files that routes, pages, and queries require', () => {
    const files = moduleFiles()
    const missing = [...new Set(files.map(moduleOf))].flatMap((module) => {
      const present = new Set(files.filter((path) => moduleOf(path) === module).map(roleOf))
      const needed = Object.entries(requirements).filter(([role]) => present.has(role))
      return needed
        .filter(([, support]) => !present.has(support) && !(support === 'table' && module === withoutTable))
        .map(([role, support]) => `${module}: ${role} without ${support}`)
    })
    expect(missing).toEqual([])
  })

  it('are never imported from outside the repository', () => {
    // Tests in test/ contain source text with imports, so they are not checked.
    const code = ['packages', 'bench', 'examples', '.ci']
      .flatMap(listFiles)
      .filter((path) => /\.[cm]?[jt]sx?$/.test(path))
    const leaving = code.filter((path) => {
      const depth = dirname(path).split('/').length
      const climbs = [...readRepoFile(path).matchAll(/(?:from|import)\s*\(?\s*['"]((?:\.\.\/)+)/g)]
      return climbs.some(([, up = '']) => up.length / '../'.length > depth)
    })
    expect(code.length).toBeGreaterThan(10)
    expect(leaving).toEqual([])
  })

  it('belong to sources without TODO notes', () => {
    expect(listSources().filter((path) => /\b(TODO|FIXME|XXX)\b/.test(readRepoFile(path)))).toEqual([])
  })
})

describe('the root manifest', () => {
  it.each(['packageManager', 'devEngines'])('has no %s, because npx pnpm would refuse to start', (field) => {
    expect(JSON.parse(readRepoFile('package.json'))).not.toHaveProperty(field)
  })
})
