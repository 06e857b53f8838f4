import { findBrowser } from './browser.ts'

/** Installs the browser before the examples run, which only look for it. */
export async function setup(): Promise<void> {
  process.env['CHROMIUM_PATH'] = await findBrowser()
}
