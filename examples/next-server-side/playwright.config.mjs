import { existsSync } from 'node:fs'

// Uses the machine's Chromium if it exists, or else the one that Playwright installed.
const executablePath = [process.env.CHROMIUM_PATH, '/usr/bin/chromium'].find(
  (path) => path !== undefined && existsSync(path),
)

export default {
  testDir: 'tests',
  use: { launchOptions: { executablePath, args: ['--no-sandbox'] } },
}
