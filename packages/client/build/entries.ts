/** The entry points of the package, and their sources. The `exports` of `package.json` must list the same names. */
export const entries = { index: 'src/index.ts', inbound: 'src/inbound.ts', admin: 'src/admin.ts' }
