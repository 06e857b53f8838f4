import { existsSync } from 'node:fs'

const browsers = [process.env.CHROMIUM_PATH, '/usr/bin/chromium']
const executablePath = browsers.find((path) => path !== undefined && existsSync(path))

// biome-ignore lint/style/noDefaultExport: Playwright reads the default export
export default {
  testMatch: '*.spec.mjs',
  use: { launchOptions: { executablePath, args: ['--no-sandbox'] } },
}
