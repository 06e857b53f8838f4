import type { Plugin } from 'esbuild'

/** Leaves the choice of `runtime.node.ts` or `runtime.web.ts` to whoever loads the package, by its `imports` field. */
export const runtimeByCondition: Plugin = {
  name: 'runtime-by-condition',
  setup(build) {
    build.onResolve({ filter: /\/runtime\.ts$/ }, () => ({ path: '#runtime', external: true }))
  },
}
