/**
 * What each entry adds to a bundle, minified and with gzip -9, for Node and for runtimes with WebCrypto only.
 *
 * Run it with `node packages/webhooks/bench/sizes.ts`.
 */
import { adapters, core, everything, handler, sizeOf, withAdapter } from '../test/bundle-size.ts'
import { print } from './print.ts'

for (const runtime of ['node', 'web'] as const) {
  const [verifyBytes, handlerBytes, allBytes] = await Promise.all(
    [core, handler, everything].map((contents) => sizeOf(contents, runtime)),
  )
  print(`${runtime}: verify ${verifyBytes}, with createWebhookHandler ${handlerBytes}, everything ${allBytes}`)
  for (const adapter of adapters) {
    print(`  ${adapter} +${(await sizeOf(withAdapter(adapter), runtime)) - (handlerBytes ?? 0)}`)
  }
}
