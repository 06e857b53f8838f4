/**
 * Build steps that tsup lacks: CommonJS entry points that share one bundle (tsup's code splitting breaks CommonJS), and
 * declarations shared by both module systems, which halves the installed size.
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
    plugins: [runtimeByCondition],
  })

/** All entries share one bundle, so that `instanceof` works for errors from any of them. */
async function writeCommonJs() {
  await bundle(entries.map((entry) => `export * as ${entry} from './${entry}.ts'`).join('\n'), 'commonjs.cjs')
  for (const runtime of ['node', 'web'])
    await bundle(`export * from './runtime.${runtime}.ts'`, `runtime-${runtime}.cjs`)
  for (const entry of entries)
    await writeFile(`dist/${entry}.cjs`, `module.exports=require('./commonjs.cjs').${entry}\n`)
}

/** An ES module can re-export the types of a CommonJS module, but not the reverse, so the `.d.cts` files hold the text. */
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
