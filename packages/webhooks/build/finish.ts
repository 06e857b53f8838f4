/**
 * What tsup cannot do: CommonJS with one copy of everything shared (its own way breaks the code), and types that are
 * written once for both module systems, which is half of what an install weighs.
 */
import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { build } from 'esbuild'
import { entries } from './entries.ts'
import { runtimeByCondition } from './runtime-by-condition.ts'

const bundle = (contents: string, outfile: string) =>
  build({
    stdin: { contents, resolveDir: 'src', loader: 'ts' },
    outfile: `dist/${outfile}`,
    bundle: true,
    format: 'cjs',
    platform: 'neutral',
    target: 'es2022',
    external: ['node:*'],
    sourcemap: 'linked',
    plugins: [runtimeByCondition],
  })

/** Each entry is a name in one bundle, so that an error is an instance of its class whichever entry it came through. */
async function writeCommonJs() {
  await bundle(entries.map((entry) => `export * as ${entry} from './${entry}.ts'`).join('\n'), 'commonjs.cjs')
  for (const runtime of ['node', 'web'])
    await bundle(`export * from './runtime.${runtime}.ts'`, `runtime-${runtime}.cjs`)
  for (const entry of entries)
    await writeFile(`dist/${entry}.cjs`, `module.exports=require('./commonjs.cjs').${entry}\n`)
}

/** CommonJS cannot import the types of an ES module, the other way round it can: so the former have the text. */
async function shareTypes() {
  for (const name of (await readdir('dist')).filter((file) => file.endsWith('.d.ts'))) {
    const entry = name.slice(0, -'.d.ts'.length)
    const text = await readFile(`dist/${name}`, 'utf8')
    await writeFile(`dist/${entry}.d.cts`, text.replaceAll(/(from |import )'(\.\/[^']+)\.js'/g, "$1'$2.cjs'"))
    if (entries.includes(entry)) await writeFile(`dist/${name}`, `export * from './${entry}.cjs'\n`)
    else await rm(`dist/${name}`)
  }
}

await writeCommonJs()
await shareTypes()
