import { gzipped, wholeClient } from '../packages/client/test/bundle-size.ts'
import { core, handler, sizeOf } from '../packages/webhooks/test/bundle-size.ts'

/** The section of RESULTS.md about bundle sizes. */
export async function sizes(): Promise<string> {
  const rows: [string, number][] = [
    ['@service/client: `createClient`', await gzipped(wholeClient)],
    ['@service/webhooks: `verify`', await sizeOf(core, 'web')],
    ['@service/webhooks: `verify` and `createWebhookHandler`', await sizeOf(handler, 'web')],
  ]
  const lines = rows.map(([name, bytes]) => `| ${name} | ${(bytes / 1000).toFixed(2)} |`)
  return `## Size: bundles, minified and gzipped

Bundled with esbuild for the browser, with all dependencies and without modules that are loaded on demand.

|  | kB |
| --- | --: |
${lines.join('\n')}
`
}
