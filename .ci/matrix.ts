/**
 * Installs the packed packages as a user would, and runs one suite on every supported runtime, bundler, compiler, and test
 * framework. The tools take a gigabyte, so they are installed into a cache instead of being dependencies.
 */
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isDeepStrictEqual, parseArgs } from 'node:util'
import { resultsWithNodeCrypto, resultsWithWebCrypto } from '../packages/webhooks/test/runtimes/expected.ts'
import { examplesWithInstalls } from './examples-with-installs.ts'
import { type Installation, type Row, run } from './matrix-row.ts'
import { testFrameworks } from './test-frameworks.ts'

const help = `Runs the packed packages on every runtime, bundler, compiler, and test framework, and the examples that
have their own installation. Build the packages first.

Usage: node .ci/matrix.ts [<part of a row's name> …] [--cache <folder>] [--json]

The first run installs the tools into the cache folder. Prints one line for each row to stderr, and with --json all results
to stdout. Exits with 1 if a supported row fails.`

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    cache: { type: 'string', default: join(tmpdir(), 'service-matrix') },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})

const root = fileURLToPath(new URL('..', import.meta.url))
const nodes = {
  'Node 20': '20.20.2',
  'Node 22.12': '22.12.0',
  'Node 22.14': '22.14.0',
  'Node 22': '22.23.3',
  'Node 24': '24.21.0',
  'Node 26': '26.9.0',
}
const compilers = ['5.5', '5.6', '5.7', '5.8', '5.9', '6.0', '7.0']
const aliasOf = (node: string) => node.toLowerCase().replace(' ', '-')

const tools: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.entries(nodes).map(([name, version]) => [aliasOf(name), `npm:node@${version}`])),
  ...Object.fromEntries(compilers.map((version) => [`typescript-${version}`, `npm:typescript@~${version}.0`])),
  bun: '1.4.5',
  deno: '2.9.6',
  miniflare: '4.20260730.0',
  'playwright-core': '1.65.1',
  esbuild: '0.28.2',
  rolldown: '1.3.2',
  webpack: '5.112.2',
}

const client = {
  title: 'Toner is here 🎉',
  missing: 'not_found',
  ticket: 'TKT-00008',
  invoice: '9.50',
  channels: ['support', 'general'],
  logged: true,
  environment: 'baseUrl is missing. Pass it to createClient, or set SERVICE_BASE_URL.',
  misspelled: 'createClient has no timeoutMS. Did you mean timeoutMs?',
  sent: [
    'GET /api/v1/workspaces/1/tickets',
    'GET /api/v1/workspaces/1/tickets',
    'GET /api/v1/workspaces/1/projects',
    'GET /api/v1/workspaces/1/invoices',
    'GET /admin/v1/workspaces/1/channels',
    'GET /admin/v1/workspaces/1/channels',
    'POST /api/webhooks/1/errors',
  ],
}
const withNodeCrypto = { client, webhooks: resultsWithNodeCrypto }
const withWebCrypto = { client, webhooks: resultsWithWebCrypto }
const fromCommonJs = { client: true, functions: ['function', 'function'], type: 'task.created', code: 'no_match' }
const resilience = { effects: 4, duplicates: [], archived: 8, isRestored: true, status: 503 }
const fromServer = { ticket_number: 'TKT-00001', titles: ['Toner is here 🎉'], seeded: true, resilience }

const binary = (alias: string) => `node_modules/${alias}/bin/node`
const bin = (name: string) => `node_modules/.bin/${name}`

/** Runs a project file with an installed tool. */
const withTool =
  (command: string, ...args: readonly string[]) =>
  async ({ tools, project }: Installation): Promise<unknown> =>
    JSON.parse(await run(join(tools, command), args, project))

const onNode = Object.keys(nodes).flatMap((name): Row[] => {
  const command = binary(aliasOf(name))
  const isUnsupported = name === 'Node 20'
  return [
    {
      kind: 'client, webhooks (ESM)',
      name,
      isUnsupported,
      run: withTool(command, 'print.js'),
      expected: withNodeCrypto,
    },
    {
      kind: 'client, webhooks (CommonJS)',
      name,
      isUnsupported,
      run: withTool(command, 'commonjs.cjs'),
      expected: fromCommonJs,
    },
    // The native database crashes before 22.14, so the server refuses to start.
    {
      kind: 'server',
      name,
      isUnsupported: isUnsupported || name === 'Node 22.12',
      run: withTool(command, 'server.js'),
      expected: fromServer,
    },
  ]
})

const otherRuntimes: Row[] = [
  { kind: 'client, webhooks (ESM)', name: 'Bun 1.4', run: withTool(bin('bun'), 'print.js'), expected: withNodeCrypto },
  {
    kind: 'client, webhooks (CommonJS)',
    name: 'Bun 1.4',
    run: withTool(bin('bun'), 'commonjs.cjs'),
    expected: fromCommonJs,
  },
  { kind: 'server', name: 'Bun 1.4', run: withTool(bin('bun'), 'server.js'), expected: fromServer },
  {
    kind: 'client, webhooks (ESM)',
    name: 'Deno 2.9',
    run: withTool(bin('deno'), 'run', '-A', '--node-modules-dir=manual', 'print.js'),
    expected: withNodeCrypto,
  },
  { kind: 'client, webhooks (ESM)', name: 'workerd', run: inWorkerd, expected: withWebCrypto },
  {
    kind: 'examples',
    name: 'Cloudflare Queues in workerd',
    run: inCloudflareQueue,
    expected: { status: 204, notified: ['The printer hums', 'The printer hums'] },
  },
  { kind: 'client, webhooks (ESM)', name: 'Chromium', run: inChromium, expected: withWebCrypto },
]

/** Bundles as Wrangler and Vite do. */
async function bundleFor(
  { tools, project }: Installation,
  { entry, conditions }: { entry: string; conditions: readonly string[] },
) {
  writeFileSync(join(project, 'entry.js'), entry)
  const options = ['--bundle', '--format=esm', '--platform=neutral', `--conditions=${conditions.join(',')}`]
  return run(join(tools, bin('esbuild')), ['entry.js', ...options, '--log-level=error'], project)
}

/** Miniflare runs workerd, the runtime of Cloudflare Workers. */
async function inWorkerd(installation: Installation): Promise<unknown> {
  const entry =
    "import { collectResults } from './everywhere.js'\nexport default { fetch: async () => Response.json(await collectResults()) }"
  const script = await bundleFor(installation, { entry, conditions: ['workerd', 'worker', 'browser'] })
  writeFileSync(join(installation.tools, 'worker.mjs'), script)
  // Like Wrangler, which hands over the bundle. Miniflare itself would look for optional imports, which are not bundled.
  const main = `import { readFileSync } from 'node:fs'
    import { Miniflare } from 'miniflare'
    const modules = [{ type: 'ESModule', path: 'worker.mjs', contents: readFileSync('worker.mjs', 'utf8') }]
    const worker = new Miniflare({ modules, compatibilityDate: '2026-01-01' })
    process.stdout.write(await (await worker.dispatchFetch('http://worker.example')).text())
    await worker.dispose()`
  writeFileSync(join(installation.tools, 'worker-main.mjs'), main)
  return JSON.parse(await run(process.execPath, ['worker-main.mjs'], installation.tools))
}

async function inCloudflareQueue(installation: Installation): Promise<unknown> {
  const { tools, project } = installation
  cpSync(join(root, 'examples/queue-cloudflare/worker.ts'), join(project, 'queue-worker.ts'))
  const entry = "export { default } from './queue-worker.ts'"
  const bundle = join(project, 'queue-worker.mjs')
  writeFileSync(bundle, await bundleFor(installation, { entry, conditions: ['workerd', 'worker', 'browser'] }))
  return JSON.parse(await run(process.execPath, ['cloudflare-queue.mjs', tools, bundle], project))
}

const browsers = ['CHROMIUM_PATH' in process.env ? process.env['CHROMIUM_PATH'] : undefined, '/usr/bin/chromium']

async function inChromium(installation: Installation): Promise<unknown> {
  const executablePath = browsers.find((path) => path !== undefined && existsSync(path))
  if (executablePath === undefined) throw new Error('Chromium is missing. Install it, or set CHROMIUM_PATH.')
  const entry = "import { collectResults } from './everywhere.js'\nglobalThis.collectResults = collectResults"
  writeFileSync(join(installation.tools, 'page.js'), await bundleFor(installation, { entry, conditions: ['browser'] }))
  // WebCrypto requires a secure context, and loopback pages are secure.
  const main = `import { createServer } from 'node:http'
    import { readFileSync } from 'node:fs'
    import { chromium } from 'playwright-core'
    const server = createServer((_, response) => response.setHeader('content-type', 'text/html').end('<title>matrix</title>'))
    await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
    const browser = await chromium.launch({ executablePath: ${JSON.stringify(executablePath)}, args: ['--no-sandbox'] })
    const page = await browser.newPage()
    await page.goto('http://127.0.0.1:' + server.address().port)
    await page.addScriptTag({ content: readFileSync('page.js', 'utf8'), type: 'module' })
    process.stdout.write(JSON.stringify(await page.evaluate(() => globalThis.collectResults())))
    await browser.close()
    server.close()`
  writeFileSync(join(installation.tools, 'page-main.mjs'), main)
  return JSON.parse(await run(process.execPath, ['page-main.mjs'], installation.tools))
}

const bundlers: Row[] = [
  [
    'esbuild 0.28',
    bin('esbuild'),
    ['print.js', '--bundle', '--format=esm', '--platform=node', '--outfile=bundled/esbuild.mjs'],
  ],
  ['rolldown 1.3', bin('rolldown'), ['print.js', '--platform', 'node', '--format', 'esm', '--dir', 'bundled/rolldown']],
].map(([name, command, args]) => bundlerRow(name as string, command as string, args as string[])) // the tuples above

function bundlerRow(name: string, command: string, args: readonly string[]): Row {
  const written = args.at(-1)?.replace('--outfile=', '') ?? ''
  const output = written.endsWith('.mjs') ? written : `${written}/print.js`
  return {
    kind: 'bundled, then on Node 24',
    name,
    expected: withNodeCrypto,
    async run({ tools, project }) {
      await run(join(tools, command), args, project)
      return JSON.parse(await run(process.execPath, [output], project))
    },
  }
}

const webpack: Row = {
  kind: 'bundled, then on Node 24',
  name: 'webpack 5.112',
  expected: withNodeCrypto,
  async run({ tools, project }) {
    const options = {
      mode: 'production',
      target: 'node22',
      context: project,
      entry: './print.js',
      output: { path: join(project, 'bundled'), filename: 'webpack.cjs' },
    }
    const main = `import webpack from 'webpack'
      webpack(${JSON.stringify(options)}, (error, stats) => {
        if (error || stats.hasErrors()) { console.error(error ?? stats.toString()); process.exitCode = 1 }
      })`
    writeFileSync(join(tools, 'webpack-main.mjs'), main)
    await run(process.execPath, ['webpack-main.mjs'], tools)
    return JSON.parse(await run(process.execPath, ['bundled/webpack.cjs'], project))
  },
}

const resolutions = { nodenext: 'nodenext', bundler: 'esnext' }

const typed = compilers.flatMap((version) =>
  Object.entries(resolutions).map(
    ([resolution, module]): Row => ({
      kind: `types, skipLibCheck: false, moduleResolution: ${resolution}`,
      name: `TypeScript ${version}`,
      expected: '',
      async run({ tools, project }) {
        const file = join(project, `tsconfig.${version}.${resolution}.json`)
        const compilerOptions = {
          strict: true,
          noEmit: true,
          skipLibCheck: false,
          target: 'es2022',
          lib: ['es2022', 'dom', 'dom.iterable', 'esnext.disposable'],
          module,
          moduleResolution: resolution,
          types: ['node'],
        }
        writeFileSync(file, JSON.stringify({ compilerOptions, files: ['types.ts'] }))
        const package_ = join(tools, 'node_modules', `typescript-${version}`)
        return run(process.execPath, [join(package_, 'bin/tsc'), '-p', file], project).catch((failed) => failed.stdout)
      },
    }),
  ),
)

const rows: readonly Row[] = [
  ...onNode,
  ...otherRuntimes,
  ...bundlers,
  webpack,
  ...typed,
  ...testFrameworks,
  ...examplesWithInstalls,
]

async function installTools(folder: string): Promise<void> {
  const manifest = JSON.stringify({ private: true, type: 'module', dependencies: tools })
  const file = join(folder, 'package.json')
  if (existsSync(file) && existsSync(join(folder, 'installed')) && readFileSync(file, 'utf8') === manifest) return
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  writeFileSync(file, manifest)
  process.stderr.write(`Installing runtimes, bundlers, and compilers into ${folder}\n`)
  await run('npm', ['install', '--no-audit', '--no-fund'], folder)
  writeFileSync(join(folder, 'installed'), '')
}

async function makeProject(folder: string): Promise<Installation['tarballs']> {
  const tarballs = join(folder, 'tarballs')
  mkdirSync(tarballs)
  for (const name of ['client', 'webhooks', 'server']) {
    await run('npx', ['--yes', 'pnpm@12', 'pack', '--pack-destination', tarballs], join(root, 'packages', name))
  }
  const specifiers = readdirSync(tarballs).map((name) => `./tarballs/${name}`)
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module' }))
  await run('npm', ['install', '--no-audit', '--no-fund', ...specifiers, '@types/node@24'], folder)
  cpSync(join(root, '.ci/matrix'), folder, { recursive: true })
  cpSync(join(root, 'packages/webhooks/test/runtimes/everywhere.js'), join(folder, 'webhooks.js'))
  return readdirSync(tarballs).map((name) => join(tarballs, name))
}

interface Result {
  readonly kind: string
  readonly name: string
  readonly result: 'passes' | 'fails' | 'not supported'
  readonly detail: string
}

async function resultOf(
  { kind, name, run: runRow, expected, isUnsupported = false }: Row,
  installation: Installation,
): Promise<Result> {
  const actual = await runRow(installation).catch((error: Error) => error)
  const passes = isDeepStrictEqual(actual, expected)
  const text =
    actual instanceof Error ? `${'stderr' in actual ? actual.stderr : ''}\n${actual.message}` : JSON.stringify(actual)
  const line =
    text.split('\n').find((candidate) => /\w*Error: |error TS|ERROR /.test(candidate)) ??
    text.trim().split('\n').at(-1) ??
    ''
  const detail = passes ? '' : line.trim().slice(0, 200)
  if (passes) return { kind, name, result: 'passes', detail }
  return { kind, name, result: isUnsupported ? 'not supported' : 'fails', detail }
}

async function runMatrix(): Promise<void> {
  const cache = resolve(values.cache)
  await installTools(join(cache, 'tools'))
  const project = mkdtempSync(join(cache, 'project-'))
  try {
    const tarballs = await makeProject(project)
    const selected = rows.filter(
      ({ kind, name }) => positionals.length === 0 || positionals.some((part) => `${kind}: ${name}`.includes(part)),
    )
    const results: Result[] = []
    for (const [index, row] of selected.entries()) {
      const result = await resultOf(row, { tools: join(cache, 'tools'), project, tarballs })
      results.push(result)
      process.stderr.write(
        `${index + 1}/${selected.length} ${row.kind}: ${row.name} ${result.result} ${result.detail}\n`,
      )
    }
    if (values.json) process.stdout.write(`${JSON.stringify(results, undefined, 2)}\n`)
    if (results.some(({ result }) => result === 'fails')) process.exitCode = 1
  } finally {
    rmSync(project, { recursive: true, force: true, maxRetries: 10 })
  }
}

if (values.help) process.stdout.write(`${help}\n`)
else await runMatrix()
