import { defineConfig } from 'tsup'

const entry = { index: 'src/index.ts', inbound: 'src/inbound.ts', admin: 'src/admin.ts' }
const contract = ['@service/contract', /^@service\/contract\//]
const shared = {
  target: 'es2022',
  platform: 'neutral',
  // Entries share chunks, so that an error thrown by one is an instance of the class that another exports.
  splitting: true,
  // build/declared-sources.ts writes this copy of the sources.
  dts: {
    entry: { index: '.types/src/index.ts', inbound: '.types/src/inbound.ts', admin: '.types/src/admin.ts' },
    resolve: contract,
  },
} as const

export default defineConfig([
  {
    ...shared,
    format: 'esm',
    // The client is a separate chunk, so that an application that imports only an error from `index` gets no schemas.
    entry: { ...entry, 'chunk-create-client': 'src/create-client.ts' },
    noExternal: [...contract, /^zod/],
  },
  {
    ...shared,
    entry,
    format: 'cjs',
    // ky is only an ES module, which Jest and older tools cannot require.
    noExternal: [...contract, /^zod/, 'ky'],
  },
])
