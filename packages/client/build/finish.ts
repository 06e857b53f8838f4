/**
 * Steps after tsup: writes the CommonJS files with their types, marks ky as an ES module in those (otherwise TypeScript rejects
 * importing its types there), and prints the licenses of the bundled packages.
 */
import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { build, transform } from 'esbuild'
import { entries } from './entries.ts'

await rm('.types', { recursive: true })

/**
 * Converts chunks of ES modules, because esbuild splits only those. tsup would convert them with Sucrase, which assigns the
 * names of the error classes, and that throws.
 */
async function writeCommonJs() {
  const { outputFiles } = await build({
    entryPoints: entries,
    outdir: 'dist',
    outExtension: { '.js': '.cjs' },
    write: false,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'neutral',
    target: 'es2022',
    // ky is only an ES module, which Jest and older tools cannot require, so it is part of the bundle.
    external: ['@opentelemetry/api', 'node:*'],
  })
  for (const { path, text } of outputFiles) {
    // Jest has no `import()` in CommonJS.
    const supported = { 'dynamic-import': false }
    const { code } = await transform(text, { format: 'cjs', platform: 'node', target: 'es2022', supported })
    await writeFile(path, code)
  }
}

/** Writes the types for CommonJS, and imports those of ky as types of an ES module. */
async function writeTypes() {
  for (const name of (await readdir('dist')).filter((file) => file.endsWith('.d.ts'))) {
    const text = (await readFile(`dist/${name}`, 'utf8')).replace(/^import 'ky';\n/m, '')
    const withKy = (mode: string) => text.replace(/^import (\{.*\}) from 'ky';$/m, `import type $1 from 'ky'${mode};`)
    const common = withKy(" with { 'resolution-mode': 'import' }")
    await writeFile(`dist/${name}`, withKy(''))
    await writeFile(
      `dist/${name.replace(/\.d\.ts$/, '.d.cts')}`,
      common.replaceAll(/(from |import )'(\.\/[^']+)\.js'/g, "$1'$2.cjs'"),
    )
  }
}

await writeCommonJs()
await writeTypes()

const bundled = ['ky', 'zod']
const folderOf = (name: string) => fileURLToPath(new URL(`../node_modules/${name}/`, import.meta.url))

/** The notice that the license of a bundled package requires. */
async function noticeOf(name: string): Promise<string> {
  const files = await readdir(folderOf(name))
  const license = files.find((file) => /^licen[cs]e/i.test(file))
  if (license === undefined) throw new Error(`${name} has no license file.`)
  return `${name}\n\n${await readFile(`${folderOf(name)}${license}`, 'utf8')}`
}
const head = 'The packages below are part of @service/client. Each is used under the license that is printed with it.'
const notices = [head, ...(await Promise.all(bundled.map(noticeOf)))]
await writeFile('dist/THIRD-PARTY-LICENSES.txt', notices.join(`\n\n${'-'.repeat(80)}\n\n`))
