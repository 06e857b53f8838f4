import { readdirSync } from 'node:fs'
import ts from 'typescript'
import { expect, test } from 'vitest'
import { readRepoFile, repoRoot as root } from '../tooling/repo.ts'
import { blocksOf } from './page.ts'

const published = (name: string) => [`${root}packages/${name}/dist/index.d.ts`]
const options: ts.CompilerOptions = {
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  noEmit: true,
  skipLibCheck: true,
  target: ts.ScriptTarget.ES2023,
  lib: ['lib.es2023.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts', 'lib.esnext.disposable.d.ts'],
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  allowImportingTsExtensions: true,
  resolveJsonModule: true,
  types: ['node'],
  paths: {
    '@service/client': published('client'),
    '@service/webhooks': published('webhooks'),
    '@service/server': published('server'),
    '@service/client/*': [`${root}packages/client/dist/*.d.ts`],
    '@service/server/*': [`${root}packages/server/dist/*.d.ts`],
    '@service/webhooks/*': [`${root}packages/webhooks/dist/*.d.ts`],
  },
}

const pages = [
  ...readdirSync(`${root}docs/start`).map((name) => `docs/start/${name}`),
  'docs/index.md',
  'README.md',
  // Those of webhooks are compiled by the package's own tests.
  ...['client', 'server'].map((name) => `packages/${name}/README.md`),
]

/** The JavaScript and TypeScript blocks of a page, as a reader would paste them into files of a strict project. */
function filesOf(page: string): Map<string, string> {
  const folder = `${root}test/docs/pasted-${page.replaceAll(/\W/g, '-')}/`
  return new Map(
    blocksOf(readRepoFile(page), 'js', 'ts').map(({ title, code }, index) => [
      folder + (title || `block-${index}.mts`).replace(/\.(mjs|js|ts)$/, '.mts'),
      `${code}\nexport {}\n`,
    ]),
  )
}

function errorsIn(files: ReadonlyMap<string, string>, changed: ts.CompilerOptions): string[] {
  const given = { ...options, ...changed }
  const host = ts.createCompilerHost(given)
  const folders = [...files.keys()].map((path) => path.slice(0, path.lastIndexOf('/')))
  const program = ts.createProgram([...files.keys()], given, {
    ...host,
    fileExists: (path) => files.has(path) || host.fileExists(path),
    readFile: (path) => files.get(path) ?? host.readFile(path),
    directoryExists: (path) => folders.some((folder) => folder.startsWith(path)) || ts.sys.directoryExists(path),
    getSourceFile: (path, ...rest) => {
      const code = files.get(path)
      if (code === undefined) return host.getSourceFile(path, ...rest)
      return ts.createSourceFile(path, code, {
        languageVersion: ts.ScriptTarget.ES2023,
        impliedNodeFormat: ts.ModuleKind.ESNext,
      })
    },
  })
  return ts
    .getPreEmitDiagnostics(program)
    .filter(({ file }) => file !== undefined && files.has(file.fileName))
    .map(
      ({ file, messageText }) =>
        `${file?.fileName.split('/').pop()}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`,
    )
}

test.each(pages)('the code of %s compiles in a strict TypeScript project', (page) => {
  const files = filesOf(page)
  // JavaScript has no annotations, so its parameters have no types.
  const hasAnnotations = !readRepoFile(page).includes('```js')
  expect(errorsIn(files, { noImplicitAny: hasAnnotations })).toEqual([])
})

test.each(['docs/guides/client.md', 'docs/guides/push.md'])('the code of %s compiles without strict', (page) => {
  const files = filesOf(page)
  expect(files.size).toBeGreaterThan(0)
  expect(errorsIn(files, { strict: false, exactOptionalPropertyTypes: false })).toEqual([])
})
