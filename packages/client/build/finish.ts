// Steps after tsup: marks ky as an ES module in the types for CommonJS (otherwise TypeScript rejects importing its types
// there), and prints the licenses of the bundled packages.
import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

await rm('.types', { recursive: true })

for (const name of (await readdir('dist')).filter((file) => /\.d\.c?ts$/.test(file))) {
  const text = await readFile(`dist/${name}`, 'utf8')
  const mode = name.endsWith('.cts') ? " with { 'resolution-mode': 'import' }" : ''
  const typesOnly = text
    .replace(/^import 'ky';\n/m, '')
    .replace(/^import (\{.*\}) from 'ky';$/m, `import type $1 from 'ky'${mode};`)
  await writeFile(`dist/${name}`, typesOnly)
}

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
