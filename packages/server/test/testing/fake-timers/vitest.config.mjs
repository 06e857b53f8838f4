// biome-ignore lint/style/noDefaultExport: Vitest reads the default export
export default { test: { setupFiles: ['./set-up.mjs'], include: ['*.spec.mjs'], testTimeout: 20_000 } }
