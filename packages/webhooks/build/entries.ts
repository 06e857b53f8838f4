/** What users can import, beside `package.json`, whose `exports` must list the same. */
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
