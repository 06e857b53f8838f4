import { join, relative } from 'node:path'
import ts from 'typescript'
import { repoRoot } from './repo.ts'

const config = ts.readConfigFile(join(repoRoot, 'tsconfig.json'), ts.sys.readFile)
const { options } = ts.parseJsonConfigFileContent({ ...config.config, include: [], files: [] }, ts.sys, repoRoot)

/** A cache of unedited files. */
const parsed = new Map<string, ts.SourceFile | undefined>()

/** Returns the compiler errors of some files after edits to others, as `path: message`. */
export function errorsWith(edits: ReadonlyMap<string, string>, files: readonly string[]): string[] {
  const program = ts.createProgram(
    files.map((file) => join(repoRoot, file)),
    options,
    hostWith(edits),
  )
  return files.flatMap((file) =>
    program
      .getSemanticDiagnostics(program.getSourceFile(join(repoRoot, file)))
      .map(({ messageText }) => `${file}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`),
  )
}

function hostWith(edits: ReadonlyMap<string, string>): ts.CompilerHost {
  const host = ts.createCompilerHost(options)
  return {
    ...host,
    getSourceFile(path, languageVersion) {
      const edited = edits.get(relative(repoRoot, path))
      if (edited !== undefined) return ts.createSourceFile(path, edited, languageVersion)
      if (!parsed.has(path)) parsed.set(path, host.getSourceFile(path, languageVersion))
      return parsed.get(path)
    },
  }
}
