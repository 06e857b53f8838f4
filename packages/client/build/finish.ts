/**
 * What tsup cannot do: in the types for CommonJS, say that ky is an ES module. Without that, TypeScript refuses to read
 * an ES module's types from there.
 */
import { readdir, readFile, writeFile } from 'node:fs/promises'

for (const name of (await readdir('dist')).filter((file) => /\.d\.c?ts$/.test(file))) {
  const text = await readFile(`dist/${name}`, 'utf8')
  const mode = name.endsWith('.cts') ? " with { 'resolution-mode': 'import' }" : ''
  const typesOnly = text
    .replace(/^import 'ky';\n/m, '')
    .replace(/^import (\{.*\}) from 'ky';$/m, `import type $1 from 'ky'${mode};`)
  await writeFile(`dist/${name}`, typesOnly)
}
