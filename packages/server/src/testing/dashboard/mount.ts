import { randomBytes } from 'node:crypto'
import type { RequestHandler } from '../../runtime/admission.ts'
import type { Entrypoints } from '../../runtime/entrypoints.ts'
import { type DoubleParts, doublePath } from './double-page.ts'

export interface DoubleDashboard {
  readonly answer: RequestHandler
  /** Opens the pages without a password: whoever has it may see and move the server. */
  readonly path: string
}

/**
 * Puts the pages of the double before the platform's own. What they are asked is no request of the platform's: it is not
 * in the journal, and no fault strikes it.
 */
export function withDoubleDashboard(parts: DoubleParts, answer: RequestHandler): DoubleDashboard {
  // Not drawn from the server's seeded identifiers: those are the same in every run, and anybody could know them.
  const key = randomBytes(24).toString('base64url')
  let pages: Promise<RequestHandler> | undefined
  const open = async () => {
    const { createDoublePages } = await import('./double-pages.tsx')
    return createDoublePages(parts, key)
  }
  return {
    path: `${doublePath}?key=${key}`,
    async answer(request, env) {
      if (!isForDouble(request)) return answer(request, env)
      pages ??= open()
      return (await pages)(request, env)
    },
  }
}

function isForDouble({ url }: Request): boolean {
  if (!url.includes(doublePath)) return false
  const { pathname } = new URL(url)
  return pathname === doublePath || pathname.startsWith(`${doublePath}/`)
}

/** Ports as before, and the address of the first: of one that is opened for it where there is none. */
export function withFirstUrl(listen: Entrypoints['listen']): Pick<Entrypoints, 'listen'> & { url(): Promise<string> } {
  let first: string | undefined
  const remembering: Entrypoints['listen'] = async (options) => {
    const address = await listen(options)
    first ??= address.url
    return address
  }
  return { listen: remembering, url: async () => first ?? (await remembering()).url }
}
