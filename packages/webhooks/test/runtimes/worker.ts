import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

/** `everywhere.js` as one module for Workers, bundled from the built package as Wrangler would do it. */
export async function buildWorker(): Promise<string> {
  const { outputFiles } = await build({
    stdin: {
      contents:
        "import { collectResults } from './everywhere.js'\nexport default { fetch: async () => Response.json(await collectResults()) }",
      resolveDir: fileURLToPath(new URL('.', import.meta.url)),
    },
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'neutral',
    conditions: ['workerd', 'worker', 'browser'],
    logLevel: 'error',
  })
  return outputFiles.map(({ text }) => text).join('')
}
