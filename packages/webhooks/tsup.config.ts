import { defineConfig } from 'tsup'

const entries = [
  'index',
  'cloudflare',
  'dedupe',
  'express',
  'fastify',
  'hono',
  'koa',
  'lambda',
  'nest',
  'next',
  'node',
  'testing',
]

export default defineConfig({
  entry: {
    ...Object.fromEntries(entries.map((entry) => [entry, `src/${entry}.ts`])),
    'runtime-node': 'src/runtime.node.ts',
    'runtime-web': 'src/runtime.web.ts',
  },
  format: ['esm', 'cjs'],
  target: 'es2022',
  platform: 'neutral',
  external: [/^node:/],
  // One copy of everything shared, so that an error thrown by one entry is an instance of the class that another exports.
  splitting: true,
  // An install stays under 80 kB; names are kept, so that a stack trace can be read.
  esbuildOptions(options) {
    options.minifyWhitespace = true
    options.minifySyntax = true
  },
  clean: true,
  dts: { entry: Object.fromEntries(entries.map((entry) => [entry, `src/${entry}.ts`])) },
  esbuildPlugins: [
    {
      name: 'runtime-by-condition',
      setup(build) {
        build.onResolve({ filter: /\/runtime\.ts$/ }, () => ({ path: '#runtime', external: true }))
      },
    },
  ],
})
