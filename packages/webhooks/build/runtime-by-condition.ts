import type { Plugin } from 'esbuild'

/** Resolves the runtime to `#runtime`, which the `imports` field of `package.json` maps to a file for each runtime. */
export const runtimeByCondition: Plugin = {
  name: 'runtime-by-condition',
  setup(build) {
    build.onResolve({ filter: /\/runtime\.ts$/ }, () => ({ path: '#runtime', external: true }))
  },
}
