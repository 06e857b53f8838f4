import { defineConfig } from 'tsup'
import { entries } from './build/entries.ts'
import { runtimeByCondition } from './build/runtime-by-condition.ts'

const sources = Object.fromEntries(entries.map((entry) => [entry, `src/${entry}.ts`]))

/** ES modules and types; `build/finish.ts` adds CommonJS. */
export default defineConfig({
  entry: { ...sources, 'runtime-node': 'src/runtime.node.ts', 'runtime-web': 'src/runtime.web.ts' },
  format: ['esm'],
  target: 'es2022',
  platform: 'neutral',
  external: [/^node:/],
  // One copy of everything shared, so that an error thrown by one entry is an instance of the class that another exports.
  splitting: true,
  clean: true,
  dts: { entry: sources },
  esbuildPlugins: [runtimeByCondition],
})
