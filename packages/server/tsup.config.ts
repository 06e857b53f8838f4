import { defineConfig } from 'tsup'
import { publicEntries } from './build/entries.ts'

/** The declarations; `build/build.ts` makes what runs. */
export default defineConfig({
  entry: publicEntries,
  format: ['esm'],
  clean: false,
  dts: { only: true, resolve: ['@service/contract', '@service/webhooks', /^@service\/(contract|intake)\//] },
})
