// Runs `write.ts` on the sources of the packages, so that the site needs no build of them.
import { fileURLToPath } from 'node:url'
import { runnerImport } from 'vite'
import { sourceAliases } from '../../../vitest.config.ts'

await runnerImport(fileURLToPath(new URL('write.ts', import.meta.url)), {
  configFile: false,
  resolve: { alias: sourceAliases },
})
