// Imports go one way. dependency-cruiser reads every import, type imports and `import()` included, and refuses the others.
const server = '^packages/server/src/'
const module = `${server}modules/[^/]+`
const ownModule = `${server}modules/([^/]+)` // `$1` is its name
const above = (...folders) => `${server}(${folders.join('|')})/`
/** Files of a module by their role: `queries.ts` and `ticket-queries.ts` are both queries. */
const role = (names, extension = 'ts') => `(^|/)(${names}|[^/]+-(${names}))[.]${extension}$`
const [routes, inbound, pages] = [role('routes'), '/inbound[.]ts$', role('pages', 'tsx')]
const [service, table, data] = [role('service'), role('table'), role('queries|table')]
const drivers = 'node_modules/(pg|better-sqlite3)/'
const database = 'node_modules/(kysely|pg|better-sqlite3)/'
const hono = 'node_modules/(hono|@hono/[^/]+)/'
const contract = '^packages/contract/src/'
const zod = 'node_modules/zod/mini/'

// Name, reason, importing files, imports that are refused.
// biome-ignore format: a table
const rules = [
  ['cycles', 'Every file can be read after those that it imports.', {}, { circular: true }],
  ['contract', 'Everything imports the contract, so it imports only zod/mini.', { path: contract }, { pathNot: [contract, zod] }],
  ['contract-rest', 'The REST API is below administration.', { path: `${contract}[^/]+[.]ts$`, pathNot: '/(admin|docs)[.]ts$' },
    { path: `${contract}admin/` }],
  ['client', 'The client runs everywhere.', { path: '^packages/client/src/', pathNot: '/(hooks|run-hooks)[.]ts$' },
    { pathNot: ['^packages/client/(src/|package[.]json$)', contract, zod] }],
  ['client-hooks', 'Only hooks import ky.', { path: '^packages/client/src/(hooks|run-hooks)[.]ts$' },
    { pathNot: ['^packages/client/src/', contract, zod, 'node_modules/ky/'] }],
  ['webhooks', 'What needs Node is in src/node/ or *.node.ts.',
    { path: '^packages/webhooks/src/', pathNot: ['/src/node/', '[.]node[.]ts$'] }, { pathNot: ['^packages/webhooks/src/', contract] }],
  ['webhooks-node', 'Webhooks has no dependencies.', { path: '^packages/webhooks/src/(node/|.+[.]node[.]ts$)' },
    { pathNot: ['^packages/webhooks/src/', contract], dependencyTypesNot: ['core'] }],
  ['intake', 'Intake turns bytes into records.', { path: '^packages/intake/src/', pathNot: '/testing[.]ts$' },
    { path: ['^packages/(client|webhooks|server)/', database, hono, 'node_modules/undici/', '^(node:)?(fs|fs/promises|http|net)$'] }],
  ['test-double', 'The production server knows neither the test double nor the command line.',
    { path: server, pathNot: above('testing', 'cli') }, { path: above('testing', 'cli') }],
  ['test-double-on-demand', 'The command line loads the test double only on request.', { path: above('cli') },
    { path: above('testing'), dynamic: false, dependencyTypesNot: ['type-only'] }],
  ['http', 'HTTP ends at http/: return a value or throw an ApiError.',
    { path: above('core', 'encryption', 'ui', 'openapi', 'conformance', 'modules', 'delivery', 'store') },
    { path: [hono, above('http')], pathNot: ['node_modules/hono/dist/.*jsx', table] }],
  ['assembly', 'Files directly in src/ connect layers.', { path: `${server}[^/]+[.]ts$` }, { path: [hono, database, data] }],
  ['core', 'core/ is below every other layer.', { path: above('core') }, { path: [server, database, hono], pathNot: above('core') }],
  ['runtime', 'runtime/ knows no domain.', { path: above('runtime') }, { path: [above('modules', 'delivery', 'openapi'), database] }],
  ['encryption', 'encryption/ knows keys and texts.', { path: above('encryption') }, { path: above('modules', 'delivery') }],
  ['contract-only', 'Documents and conformance checks know only the contract.', { path: above('openapi', 'conformance') },
    { path: [above('modules', 'delivery', 'store'), database] }],
  ['ui', 'ui/ shows what it is given.', { path: above('ui') }, { path: [above('modules', 'delivery', 'store'), database] }],
  ['cli', 'The command line calls services, never the database.', { path: above('cli') }, { path: [database, data] }],
  ['http-sql', 'http/ calls services.', { path: above('http') }, { path: [database, `${module}.*${data}`] }],
  ['surfaces', 'A surface lists routes and pages.', { path: `${server}http/(api|inbound|admin|dashboard)[.]ts$` },
    { path: `${module}/`, pathNot: [routes, inbound, pages] }],
  ['sql', 'SQL is in queries.ts.', { path: `${module}/`, pathNot: data }, { path: database }],
  ['own-tables', 'Call the service of the other module.', { path: ownModule },
    { path: `${module}.*${data}`, pathNot: `${server}modules/$1/` }],
  ['routes', 'Routes call the service of their own module.', { path: `${ownModule}.*${routes}` },
    { path: [`${module}/`, above('store', 'delivery')], pathNot: `${server}modules/$1/(?!.*(queries|table)[.]ts$)` }],
  ['pages', 'Pages call administration as their reader.', { path: `${module}.*${pages}` }, { path: [data, above('store', 'delivery')] }],
  ['services', 'A service calls its own queries, other services, and the outbox.', { path: `${ownModule}.*(${service}|${inbound})` },
    { path: [`${module}/`, above('delivery')], pathNot: [`${server}modules/$1/`, service, `${server}delivery/(egress|outbox/outbox|queues/(queues|request|preview-request)|redelivery/redelivery)[.]ts$`] }],
  ['queries', 'Queries know the store and their own tables.', { path: `${ownModule}.*${data}` },
    { path: [`${module}/`, above('delivery'), drivers], pathNot: `${server}modules/$1/` }],
  ['never-back', 'Routes → service → queries → table.', { path: `${module}.*${service}` }, { path: [routes, inbound, pages, table] }],
  ['never-back-data', 'Routes → service → queries → table.', { path: `${module}.*${data}` }, { path: [service, routes, inbound, pages] }],
  ['tickets', 'Automation, Git, and error reports build on tickets, and ticket details on all of them.',
    { path: `${server}modules/tickets/` }, { path: `${server}modules/(automation|git|error-reports|ticket-details)/` }],
  ['delivery', 'The delivery knows its own tables.', { path: above('delivery') }, { path: [above('modules'), drivers] }],
  ['store', 'The store knows tables, not their use.', { path: above('store') },
    { path: above('modules', 'delivery', 'http'), pathNot: table }],
]

export default {
  forbidden: rules.map(([name, comment, from, to]) => ({ name, comment, severity: 'error', from, to })),
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '[.]test(-d)?[.]tsx?$|/dist/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default', 'types'] },
  },
}
