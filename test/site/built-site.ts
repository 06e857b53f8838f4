import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { listenOnFreePort } from '../../packages/server/test/free-port.ts'

const built = fileURLToPath(new URL('../../docs/.vitepress/dist', import.meta.url))

const contentTypes: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
}

/** Serves the site that `pnpm docs:build` wrote. */
export async function serveSite(): Promise<{ readonly url: string; close(): void }> {
  if (!existsSync(built)) throw new Error('The site is not built. Run pnpm docs:build.')
  const server = createServer(async ({ url = '' }, response) => {
    const { pathname } = new URL(url, 'http://site.test')
    const path = pathname.endsWith('/') ? `${pathname}index.html` : pathname
    const content = await readFile(join(built, path)).catch(() => undefined)
    response.writeHead(content === undefined ? 404 : 200, {
      'content-type': contentTypes[extname(path)] ?? 'text/plain',
    })
    response.end(content)
  })
  const port = await listenOnFreePort(server)
  return { url: `http://127.0.0.1:${port}`, close: () => void server.close() }
}
