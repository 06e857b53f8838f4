import { fileURLToPath } from 'node:url'
import { apiRoutes } from '@service/contract/api-routes'
import ts from 'typescript'
import { expect, it } from 'vitest'
import { codeIn } from '../../../test/docs/page.ts'
import { readRepoFile } from '../../../test/tooling/repo.ts'
import * as errors from '../src/index.ts'

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url))
const guide = readRepoFile('docs/guides/client.md')
const errorsGuide = readRepoFile('docs/guides/errors.md')
// Examples with a test server run with those of the other pages.
const examples = codeIn(readRepoFile('packages/client/README.md') + guide, 'ts').filter(
  (code) => !code.includes('@service/server'),
)

/** The compiler's messages for these texts, as files next to the tests. */
function diagnosticsOf(texts: readonly string[]): string[] {
  const options: ts.CompilerOptions = {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    exactOptionalPropertyTypes: true,
    allowImportingTsExtensions: true,
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    resolveJsonModule: true,
    lib: ['lib.es2023.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
    types: [],
    paths: {
      '@service/client': [path('../src/index.ts')],
      '@service/client/*': [path('../src/*.ts')],
      '@service/contract/*': [path('../../contract/src/*.ts')],
    },
  }
  const files = new Map(texts.map((text, index) => [path(`./readme-example-${index}.ts`), text]))
  const host = ts.createCompilerHost(options)
  const { readFile, fileExists } = host
  host.readFile = (name) => files.get(name) ?? readFile(name)
  host.fileExists = (name) => files.has(name) || fileExists(name)
  const program = ts.createProgram([...files.keys()], options, host)
  return ts.getPreEmitDiagnostics(program).map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' '))
}

it('has examples that compile, in the README and in the guide', () => {
  expect(examples.length).toBeGreaterThan(3)
  expect(diagnosticsOf(examples)).toEqual([])
  expect(
    diagnosticsOf(["import { createClient } from '@service/client'\ncreateClient({ workspace: 'one' })"]),
  ).not.toEqual([])
})

it('lists every error class with its code', () => {
  const listed = [...errorsGuide.matchAll(/^\| `(\w+Error)` \| `(\w+)` \|/gm)].map(([, name, code]) => [name, code])
  const details = { method: 'GET', route: '', attempts: 0, durationMs: 0, delivered: 'no', retryable: false } as const
  const known = Object.entries(errors)
    .filter(([name]) => /^[A-Z]\w+Error$/.test(name) && name !== 'ServiceError')
    .map(([name, Kind]) => [name, new (Kind as typeof errors.ConflictError)('', details).code]) // all take the same
  expect(listed.toSorted()).toEqual(known.toSorted())
})

it('names every method with its scope in the guide', () => {
  const rows = [...guide.matchAll(/^\| `([\w.]+)\(.*?\)` \| `([\w:]+)` \|/gm)].map(([, method, scope]) => [
    method,
    scope,
  ])
  expect(rows.toSorted()).toEqual(apiRoutes.map(({ operation, scope }) => [operation, scope]).toSorted())
})
