import { basename, dirname } from 'node:path'
import { describe, expect, it } from 'vitest'
import { listFiles, listSources, readRepoFile } from './repo.ts'

const modules = 'packages/server/src/modules/'

/** The furniture of a module, and the names that other projects have for the same pieces. */
const houseNames: Record<string, string> = {
  ...{ schema: 'table', tables: 'table', model: 'table', models: 'table', entity: 'table' },
  ...{ query: 'queries', repository: 'queries', dao: 'queries', db: 'queries', sql: 'queries', store: 'queries' },
  ...{ services: 'service', usecases: 'service', logic: 'service', manager: 'service' },
  ...{ route: 'routes', router: 'routes', controller: 'routes', handler: 'routes', handlers: 'routes', api: 'routes' },
  ...{ webhook: 'inbound', ingest: 'inbound', page: 'pages', view: 'pages', views: 'pages' },
  ...{ dto: 'input', inputs: 'input', body: 'input', types: 'a file named after the idea' },
}

/** What cannot stand without the other: a query has a table to ask, a service queries, a door a service. */
const stands = { queries: 'table', routes: 'service', inbound: 'service', pages: 'service' }

const stem = (path: string) => basename(path).replace(/\.\w+$/, '')
const moduleFiles = () =>
  listSources().filter((path) => path.startsWith(modules) && dirname(path) !== modules.slice(0, -1))
const moduleOf = (path: string) => path.slice(modules.length).split('/')[0] ?? ''

describe('the house', () => {
  it('has no drawers for what has no name', () => {
    const drawer = /\/(utils?|helpers?|common|misc|shared|lib)(\/|\.tsx?$)/
    expect(listSources().filter((path) => drawer.test(path))).toEqual([])
  })

  it('gives the furniture of its modules the same names everywhere', () => {
    const renamed = moduleFiles()
      .filter((path) => path.split('/').length === modules.split('/').length + 1)
      .flatMap((path) => (houseNames[stem(path)] ? [`${path} is called ${houseNames[stem(path)]} here`] : []))
    expect(renamed).toEqual([])
  })

  it('has in each module what its pieces stand on', () => {
    const files = moduleFiles()
    const missing = [...new Set(files.map(moduleOf))].flatMap((module) => {
      const present = new Set(files.filter((path) => moduleOf(path) === module).map(stem))
      const needed = Object.entries(stands).filter(([piece]) => present.has(piece))
      return needed
        .filter(([, support]) => !present.has(support))
        .map(([piece, support]) => `${module}: ${piece} without ${support}`)
    })
    expect(missing).toEqual([])
  })

  it('has no import that leaves the repository', () => {
    // The tests of the tooling plant sources, whose imports are text here.
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

  it('leaves no note to do something later in its sources', () => {
    expect(listSources().filter((path) => /\b(TODO|FIXME|XXX)\b/.test(readRepoFile(path)))).toEqual([])
  })
})

describe('the root manifest', () => {
  it.each(['packageManager', 'devEngines'])('has no %s, which would make npx pnpm refuse to start', (field) => {
    expect(JSON.parse(readRepoFile('package.json'))).not.toHaveProperty(field)
  })
})
