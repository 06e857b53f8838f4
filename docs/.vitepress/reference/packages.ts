// Writes the package reference from TSDoc, one page for each entry point.
import { rm } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { Application, LogLevel } from 'typedoc'

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url))

/** The entry points of each package. */
const packages = {
  client: ['index', 'inbound', 'admin', 'errors'],
  webhooks: ['index', 'dedupe', 'testing', 'express', 'fastify', 'hono', 'koa', 'lambda', 'nest', 'next', 'node'],
  server: ['index', ...['testing', 'vitest', 'msw', 'playwright', 'matchers'].map((name) => `testing/entries/${name}`)],
}

for (const [name, entries] of Object.entries(packages)) {
  const root = `../../../packages/${name}`
  await rm(path(`../../reference/${name}`), { recursive: true, force: true })
  const options = {
    plugin: ['typedoc-plugin-markdown'],
    entryPoints: entries.map((entry) => path(`${root}/src/${entry}.ts`)),
    tsconfig: path(`${root}/tsconfig.json`),
    out: path(`../../reference/${name}`),
    disableSources: true,
    excludePrivate: true,
    readme: 'none',
    skipErrorChecking: true, // `pnpm types` checks them
    logLevel: LogLevel.Error,
    outputFileStrategy: 'modules',
    hideBreadcrumbs: true,
    hidePageHeader: true,
    entryFileName: 'contents.md',
    pageTitleTemplates: {
      index: () => `Reference of @service/${name}`,
      module: (module: { readonly name: string }) => importPathOf(name, module.name),
    },
  }
  const app = await Application.bootstrapWithPlugins(options)
  const project = await app.convert()
  if (project === undefined) throw new Error(`The reference of @service/${name} could not be generated.`)
  await app.generateOutputs(project)
}

/** `testing/entries/vitest` of the server is imported from `@service/server/vitest`. */
function importPathOf(name: string, entry: string): string {
  const last = entry.split('/').at(-1)
  return last === 'index' ? `@service/${name}` : `@service/${name}/${last}`
}
