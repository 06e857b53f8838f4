import { defineConfig } from 'tsup'

const entry = {
  index: 'src/index.ts',
  errors: 'src/errors.ts',
  inbound: 'src/inbound.ts',
  transport: 'src/transport.ts',
}
const contract = ['@service/contract', /^@service\/contract\//]
const shared = { target: 'es2022', platform: 'neutral', dts: { entry, resolve: contract } } as const

export default defineConfig([
  {
    ...shared,
    format: 'esm',
    // `index` only passes on the other parts: who uses nothing but the errors gets nothing else.
    entry: { ...entry, 'create-client': 'src/create-client.ts' },
    splitting: true,
    noExternal: contract,
  },
  {
    ...shared,
    format: 'cjs',
    entry,
    // ky is an ES module only, which Jest and older tools cannot require.
    noExternal: [...contract, 'ky'],
  },
])
