import { existsSync, readFileSync } from 'node:fs'
import ts from 'typescript'
import { type Page, packageRoot, readExamples } from './examples.ts'

/** The names that the pages use without defining them. */
const surroundings = `
  declare function notify(text: string): void
  declare function audit(changes: object): void
  declare const queue: { add(name: string, data: object, options: { jobId: string | undefined }): Promise<unknown> }
  declare const redis: { sendCommand(command: string[]): Promise<unknown> }
  declare const secretsByTenant: Map<string, string>`

/** Returns the compiler errors of a page, with each block as a file of one folder. */
export function typeCheck(page: Page): string[] {
  const folder = `${packageRoot}test/docs/${page.replaceAll(/\W/g, '-')}/`
  const files = new Map(readExamples(page).map(({ title, code }) => [folder + title, code]))
  files.set(`${folder}surroundings.d.ts`, surroundings)
  const options = readOptions()
  const host = ts.createCompilerHost(options)
  const compilerHost: ts.CompilerHost = {
    ...host,
    directoryExists: (path) => folder.startsWith(path) || existsSync(path),
    fileExists: (path) => files.has(path) || existsSync(path),
    readFile: (path) => files.get(path) ?? host.readFile(path),
    getSourceFile: (path, ...rest) => {
      const code = files.get(path)
      if (code === undefined) return host.getSourceFile(path, ...rest)
      return ts.createSourceFile(path, code, ts.ScriptTarget.ES2023, true)
    },
  }
  const program = ts.createProgram([...files.keys()], options, compilerHost)
  return ts
    .getPreEmitDiagnostics(program)
    .filter(({ file }) => file && files.has(file.fileName))
    .map(({ file, messageText }) => `${file?.fileName}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`)
}

/** The options of this package. zod is resolved from the contract package, which depends on it. */
function readOptions(): ts.CompilerOptions {
  const path = `${packageRoot}tsconfig.json`
  const { config } = ts.readConfigFile(path, (name) => readFileSync(name, 'utf8'))
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, packageRoot)
  const paths = {
    ...options.paths,
    '@service/webhooks': ['./src/index.ts'],
    '@service/webhooks/*': ['./src/*.ts'],
    'zod/mini': ['../contract/node_modules/zod/mini'],
  }
  // Readers write `process.env.NAME`; only this repository requires brackets. NestJS needs decorators.
  const ofReaders = { noPropertyAccessFromIndexSignature: false, experimentalDecorators: true }
  return { ...options, paths, noEmit: true, skipLibCheck: true, ...ofReaders }
}
