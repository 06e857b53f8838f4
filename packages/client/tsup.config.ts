import { defineConfig } from 'tsup'
import { entries } from './build/entries.ts'

const contract = ['@service/contract', /^@service\/contract\//]

/** ES modules and types; `build/finish.ts` adds CommonJS. */
export default defineConfig({
  format: 'esm',
  // The client is a separate chunk, so that an application that imports only an error from `index` gets no schemas.
  entry: { ...entries, 'chunk-create-client': 'src/create-client.ts' },
  target: 'es2022',
  platform: 'neutral',
  // Entries share chunks, so that an error thrown by one is an instance of the class that another exports.
  splitting: true,
  // build/declared-sources.ts writes this copy of the sources.
  dts: {
    entry: { index: '.types/src/index.ts', inbound: '.types/src/inbound.ts', admin: '.types/src/admin.ts' },
    resolve: contract,
  },
  noExternal: [...contract, /^zod/],
})
