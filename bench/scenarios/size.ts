import { type Bundle, bundle } from '../bundle.ts'
import { atMost, because, row } from '../findings.ts'
import type { Scenario } from './scenario.ts'

const bundles = {
  client: { name: 'ours: createClient', source: `export { createClient } from '@service/client'` },
  errors: { name: 'ours: errors alone', source: `export * from '@service/client/errors'` },
  bare: { name: 'ours: imported and not used', source: `import '@service/client'` },
  ky: { name: 'ky alone', source: `export { default } from 'ky'` },
} as const
type Name = keyof typeof bundles
const names = Object.keys(bundles) as Name[] // Object.keys forgets the literal keys

/** What ends up in a browser's bundle, dependencies included. */
export const size: Scenario = {
  steps: () => names.length,
  async run(_, progress) {
    const sizes = new Map<Name, Bundle>()
    for (const name of names) {
      sizes.set(name, await bundle(bundles[name].source))
      progress(name)
    }
    const of = (name: Name) =>
      sizes.get(name) ?? { minified: Number.NaN, gzipped: Number.NaN, gzippedInAll: Number.NaN }
    return {
      title: 'Bundle size of the client',
      method:
        'esbuild, minified, ES2022, split where something is loaded only when it is needed (`hooks` bring ky along), all dependencies included, then gzip -9. One build each: there is nothing to repeat.',
      columns: ['minified, kB', 'gzipped, kB', 'gzipped with what is loaded later, kB'],
      rows: names.map((name) => {
        const { minified, gzipped, gzippedInAll } = of(name)
        return row(bundles[name].name, [minified / 1000], [gzipped / 1000], [gzippedInAll / 1000])
      }),
      goals: [
        because(
          atMost('createClient, kB gzipped', 17.5, [of('client').gzipped / 1000]),
          'what a late import shares is a file of its own here, and each file is compressed by itself; in one file it is 17.5 (packages/client/test/size.test.ts).',
        ),
        because(
          atMost('errors alone, kB gzipped', 0.6, [of('errors').gzipped / 1000]),
          'there is a class for each documented status, with what its remedy needs.',
        ),
        atMost('imported and not used, bytes', 0, [of('bare').minified]),
      ],
    }
  },
}
