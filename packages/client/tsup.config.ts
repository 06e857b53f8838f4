import { defineConfig } from 'tsup'

const entry = { index: 'src/index.ts', errors: 'src/errors.ts', inbound: 'src/inbound.ts', admin: 'src/admin.ts' }
const contract = ['@service/contract', /^@service\/contract\//]
const shared = {
  entry,
  target: 'es2022',
  platform: 'neutral',
  sourcemap: true,
  // build/finish.ts writes those of administration.
  dts: { entry: { index: entry.index, errors: entry.errors, inbound: entry.inbound }, resolve: contract },
} as const

export default defineConfig([
  {
    ...shared,
    format: 'esm',
    // Entries share chunks. The client is a separate chunk, so that an application that imports only an error from
    // `index` gets no schemas.
    entry: { ...entry, 'chunk-create-client': 'src/create-client.ts' },
    splitting: true,
    noExternal: [...contract, /^zod/],
  },
  {
    ...shared,
    format: 'cjs',
    // ky is only an ES module, which Jest and older tools cannot require.
    noExternal: [...contract, /^zod/, 'ky'],
  },
])
