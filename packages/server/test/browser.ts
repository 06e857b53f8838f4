import { type Browser, chromium } from 'playwright-core'
import { installedProgram, installTimeoutMs } from './installed-program.ts'

/** The headless shell needs half the processor time of a whole browser. */
const usual = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
]

export const browserTimeoutMs = installTimeoutMs

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

export const findBrowser = async (): Promise<string> =>
  process.env['CHROMIUM_PATH'] ?? (await installedProgram({ paths: usual, debianPackage: 'chromium-headless-shell' }))
