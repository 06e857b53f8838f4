import { fileURLToPath } from 'node:url'
import { configDefaults, defineConfig } from 'vitest/config'
import { UnsteadyReporter } from './test/unsteady-reporter.ts'

const packages = (path: string) => fileURLToPath(new URL(`./packages/${path}`, import.meta.url))
/** Resolves imports of our packages to their sources. */
export const sourceAliases = [
  { find: /^@service\/(contract|client|intake|webhooks|server)$/, replacement: `${packages('')}$1/src/index.ts` },
  { find: /^@service\/server\/(.+)$/, replacement: `${packages('server')}/src/testing/entries/$1.ts` },
  { find: /^@service\/(contract|client|intake|webhooks)\/(.+)$/, replacement: `${packages('')}$1/src/$2.ts` },
]

const server = (names: string) => `packages/server/test/${names}.test.ts`

/** The SQL of every module, and what locks, retries, and limits do: on PostgreSQL too. */
const databases = [
  server(
    '{contract,store,distribute,upgrade,concurrency,two-at-once,token-roles,transactions,idempotency,reading,references,retention,query-parameters}',
  ),
  server(
    '{tickets,ticket-search,admin-lists,leads,members,attendance-pairing,attendance-corrections,record-search,rate-limit,row-limits,workspace-keys}',
  ),
  server('delivery/{leases,order,redelivery,disabling,retention,retries,sending,workers}'),
  server('inbound/{attendance,attendance-clocks,errors,git,leads,mapping,replay}'),
]

/** Replaces globals such as `fetch` and timers, or measures memory. */
const isolated = [
  'packages/client/test/{answers,calls,fuzz,options,stack}.test.ts',
  'packages/client/test/inbound/capture-node.test.ts',
  'packages/webhooks/test/adapters/h3.test.ts',
  server('{keep-exit-code,inbound/errors-hostile,inbound/git-limits,inbound/real-clients}'),
  server('testing/{clock-due,clock-control,faults-latency,msw,state,transports,nothing-answers/{intercept,msw}}'),
]

/** Start browsers, the built command line, or PostgreSQL servers that fail. */
const programs = [
  server('dashboard-{administration,browser,developers,jobs,layout,mapping,nodes,outage,steady,triage,work}'),
  server('{cli,cli-administration,cli-configuration,cli-operations,cli-parent,cli-secrets,data-directory,setup}'),
  server('{backup,db-copy,disk-full,health-port,postgres-outages,read-only,request-log,tls-proxy}'),
  server('{inbound/push-page,testing/conformance,testing/listen-cli,testing/seeds-cli}'),
]

/** Documentation, examples, runtimes, bundlers, sizes, accessibility, and long runs: in `test:all` only. */
const slow = [
  'test/**/*.test.ts',
  'examples/**/*.test.ts',
  'packages/client/test/{commonjs,readme,size}.test.ts',
  'packages/webhooks/test/{docs,runtimes,sizes}.test.ts',
  'packages/webhooks/test/peers/**/*.test.ts',
  server(
    '{balancers,dashboard-accessibility,deploy-programs,docs-page-browser,every-operation,firefox,hot-paths,node-version,openapi-spectral,pgbouncer,rolling-restart}',
  ),
  server('testing/{determinism,transports-browser,msw-2,peers,fault-cases-empty,runners,scenarios,transports-process}'),
  server('testing/nothing-answers/{msw-2,page,runners}'),
]

/** The built site in a browser. */
const site = ['test/site/*.test.ts']

const everything = ['packages/*/{src,test}/**/*.test.{ts,tsx}']

// `pnpm test` runs `shared`, `isolated`, and `databases`, `pnpm test:programs` runs `programs`, and `pnpm test:all` runs all but `site` and
// `nightly`, and every test on every database.
export default defineConfig(({ mode }) => {
  const stores = (names: string) => (mode === 'all' ? {} : { DEFAULT_STORES: names })
  return {
    resolve: {
      alias: sourceAliases,
    },
    test: {
      projects: [
        {
          extends: true,
          test: {
            name: 'shared',
            include: everything,
            exclude: [...databases, ...isolated, ...programs, ...slow],
            // Loading the sources again for every file would cost more than any test.
            isolate: false,
            env: stores('memory'),
          },
        },
        {
          extends: true,
          test: {
            name: 'databases',
            include: databases,
            exclude: isolated,
            isolate: false,
            env: stores('memory,postgres'),
          },
        },
        { extends: true, test: { name: 'programs', include: programs, isolate: false, env: stores('memory') } },
        { extends: true, test: { name: 'isolated', include: isolated, env: stores('memory,sqlite') } },
        {
          extends: true,
          test: {
            name: 'slow',
            include: slow,
            exclude: [...configDefaults.exclude, ...site],
            globalSetup: ['packages/server/test/browser.setup.ts'],
            // Several of them compile programs, which takes a minute on a busy machine.
            testTimeout: 180_000,
          },
        },
        // Needs `pnpm docs:build`. `.ci/check` runs both.
        { extends: true, test: { name: 'site', include: site } },
        {
          // Proofs that kill, stop, and overrun real processes. They take minutes and need a machine to themselves.
          extends: true,
          test: {
            name: 'nightly',
            include: ['packages/*/proof/**/*.test.ts'],
            fileParallelism: false,
            testTimeout: 30 * 60_000,
          },
        },
      ],
      globalSetup: ['packages/server/test/postgres.setup.ts'],
      setupFiles: ['test/fixed-seed.setup.ts'],
      // Half of the work is PostgreSQL's and the disk's, so as many files run at once as there are processors.
      maxWorkers: '100%',
      testTimeout: 120_000,
      // Browsers and processes share two processors in CI. The reporter names each test that needed its second attempt.
      retry: process.env['CI'] === undefined ? 0 : 1,
      reporters: ['default', new UnsteadyReporter()],
      // How long a condition is waited for before it counts as never met. No test asks for speed.
      expect: { poll: { timeout: 60_000, interval: 20 } },
      hookTimeout: 120_000,
    },
  }
})
