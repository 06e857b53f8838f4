import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type Browser, chromium } from 'playwright-core'

const run = promisify(execFile)
const usual = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

/** Long enough to install the browser first. */
export const browserTimeoutMs = 300_000

/** The local Chromium, restricted to local addresses. */
export async function openBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: await findBrowser(),
    headless: true,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
    ],
  })
}

async function findBrowser(): Promise<string> {
  const named = process.env['CHROMIUM_PATH']
  if (named !== undefined) return named
  const found = usual.find((path) => existsSync(path)) ?? (await install())
  if (found !== undefined) return found
  throw new Error(
    'There is no Chromium. Install it (on Debian: apt-get install -y chromium), or name one in CHROMIUM_PATH.',
  )
}

const installScript =
  'apt-get update -qq && apt-get install -y -qq --no-install-recommends -o DPkg::Lock::Timeout=240 chromium'

/** Installs Chromium on Debian as root only. Concurrent test files wait, because apt refuses a second installation. */
async function install(): Promise<string | undefined> {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return undefined
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const lock = join(tmpdir(), 'install-chromium.lock')
  await run('flock', [lock, 'sh', '-c', installScript], { env, maxBuffer: 2 ** 26 })
  return usual.find((path) => existsSync(path))
}
