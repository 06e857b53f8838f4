import { defineConfig } from 'tsup'

const entry = { index: 'src/index.ts', errors: 'src/errors.ts', inbound: 'src/inbound.ts', admin: 'src/admin.ts' }
const contract = ['@service/contract', /^@service\/contract\//]
const shared = {
  entry,
  target: 'es2022',
  platform: 'neutral',
  sourcemap: true,
  // Those of administration are spelled out by build/finish.ts.
  dts: { entry: { index: entry.index, errors: entry.errors, inbound: entry.inbound }, resolve: contract },
} as const

export default defineConfig([
  {
    ...shared,
    format: 'esm',
    // One copy of everything shared. The client is a chunk of its own, so that `index` only passes on what others have:
    // who imports nothing but an error from it then gets no schemas.
    entry: { ...entry, 'chunk-create-client': 'src/create-client.ts' },
    splitting: true,
    noExternal: [...contract, /^zod/],
  },
  {
    ...shared,
    format: 'cjs',
    // ky is an ES module only, which Jest and older tools cannot require.
    noExternal: [...contract, /^zod/, 'ky'],
  },
])
