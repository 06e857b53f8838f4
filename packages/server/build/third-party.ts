import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const installed = fileURLToPath(new URL('../node_modules', import.meta.url))

const mitTerms = `Permission is hereby granted, free of charge, to any person obtaining a copy
of this software and associated documentation files (the "Software"), to deal
in the Software without restriction, including without limitation the rights
to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
copies of the Software, and to permit persons to whom the Software is
furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all
copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE
SOFTWARE.`

/** Whose files are copied beside the bundle, and so are not in its list. */
const copied = ['@fontsource-variable/geist', '@fontsource-variable/geist-mono', 'htmx.org', 'lucide-static']

/** Scalar is copied too, and its package has no licence file. */
const scalarNotice = `@scalar/api-reference (MIT)

MIT License

Copyright (c) 2023-present Scalar

${mitTerms}`

/** The name, version and licence of every package that the bundle has files of, as their licences ask for. */
export async function thirdPartyLicenses(files: readonly string[]): Promise<string> {
  const bundled = files.flatMap((file) => packageFolderOf(file) ?? [])
  const folders = new Set([...bundled, ...copied.map((name) => join(installed, name))])
  const notices = await Promise.all([...folders].map(noticeOf))
  const head = 'The packages below are part of @service/server. Each is used under the licence that is printed with it.'
  return [head, ...[...new Set([...notices, scalarNotice])].toSorted()].join(`\n\n${'-'.repeat(80)}\n\n`)
}

/** `…/node_modules/kysely/dist/x.js` → `…/node_modules/kysely`. */
const packageFolderOf = (file: string) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(file)?.[0]

async function noticeOf(folder: string): Promise<string> {
  const { name, version, license } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'))
  const file = (await readdir(folder)).find((each) => /^licen[cs]e(?:\.|-|$)/i.test(each))
  const text = file === undefined ? '' : `\n\n${(await readFile(join(folder, file), 'utf8')).trim()}`
  return `${name} ${version} (${license})${text}`
}
