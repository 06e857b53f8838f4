import { readdir, readFile, writeFile } from 'node:fs/promises'

// The bundled types of `admin` name the app that its functions close over, and through it Kysely, which is bundled and
// not installed with us. Nobody outside can make such an app, so two empty words in its place lose nothing.

const dist = new URL('../dist/', import.meta.url)
const stands = 'type Generated<Value> = Value;\ntype Kysely<Schema> = { readonly schema?: Schema };'
const named = /^import \{ Generated, Kysely \} from 'kysely';$/m
const bare = /^import 'kysely';\n/gm

for (const name of await readdir(dist)) {
  if (!name.endsWith('.d.ts')) continue
  const file = new URL(name, dist)
  const text = await readFile(file, 'utf8')
  const hidden = text.replace(named, stands).replace(bare, '')
  if (/from ['"]kysely['"]/.test(hidden)) throw new Error(`${name} leads to more of Kysely than this step knows.`)
  if (hidden !== text) await writeFile(file, hidden)
}
