import { existsSync } from 'node:fs'

// A Chromium of the machine where there is one, else the one that Playwright has installed.
const executablePath = [process.env.CHROMIUM_PATH, '/usr/bin/chromium'].find(
  (path) => path !== undefined && existsSync(path),
)

export default {
  testDir: 'tests',
  use: { launchOptions: { executablePath, args: ['--no-sandbox'] } },
}
