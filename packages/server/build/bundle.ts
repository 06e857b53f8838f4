import { rolldown } from 'rolldown'
import { chunks } from './chunks.ts'
import { processEntries, publicEntries } from './entries.ts'
import { withoutHttp2 } from './without-http2.ts'

/**
 * Pure JavaScript is bundled: the process starts in half the time and needs a quarter less memory. What has native code,
 * and pg, stay outside, and so do the test tools that are its user's own, and the client, whose errors its user may compare
 * by class.
 */
const external = ['@node-rs/argon2', 'better-sqlite3', 'pg', 'msw', 'vitest', /^@service\/client/]

/** Writes the JavaScript of the package, and tells which files went into it. */
export async function writeBundle(directory: string): Promise<readonly string[]> {
  await using bundle = await rolldown({
    input: { ...publicEntries, ...processEntries },
    external,
    platform: 'node',
    tsconfig: 'tsconfig.json',
    transform: { target: 'node22' },
    plugins: [withoutHttp2()],
    // Some modules are imported late by one module and at once by another, on purpose: the first may start without the other.
    checks: { ineffectiveDynamicImport: false },
  })
  const { output } = await bundle.write({
    dir: directory,
    format: 'esm',
    chunkFileNames: '[name]-[hash].js',
    sourcemap: true,
    // A stack trace needs the names and lines; the texts would double the package.
    sourcemapExcludeSources: true,
    comments: false,
    codeSplitting: { groups: chunks },
  })
  return output.flatMap((file) => (file.type === 'chunk' ? Object.keys(file.modules) : []))
}
