/** The entry points of the package. The `exports` of `package.json` must list the same names. */
export const entries = [
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
