import { defineConfig } from 'tsup'
import { processEntries, publicEntries } from './build/entries.ts'

/**
 * Pure JavaScript is bundled: the process starts in half the time and needs a quarter less memory. What has native code,
 * and pg, stay outside as `dependencies`, and so do the test tools that are its user's own, and the client, whose errors
 * its user may compare by class. `build/build.ts` makes the other files of `dist`.
 */
export default defineConfig({
  entry: { ...publicEntries, ...processEntries },
  format: 'esm',
  target: 'node22',
  platform: 'node',
  noExternal: [/^zod/],
  splitting: true,
  clean: true,
  removeNodeProtocol: false,
  // Packages that are CommonJS ask for modules of Node.
  banner: {
    js: "import { createRequire as requireOf } from 'node:module'; const require = requireOf(import.meta.url);",
  },
  esbuildOptions(options) {
    options.legalComments = 'none'
    options.inject = ['build/microtask.ts']
  },
  metafile: true,
  dts: { entry: publicEntries, resolve: ['@service/contract', '@service/webhooks', /^@service\/(contract|intake)\//] },
})
