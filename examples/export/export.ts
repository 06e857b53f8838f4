import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type Admin, createAdminClient } from '@service/client/admin'

interface Page {
  readonly data: readonly { readonly id: number }[]
  readonly next_before: number | null
}

/** What is exported: a list of each kind, from which a page before an id can be read. */
const kinds = {
  ticket: (admin, workspace, query) => admin.tickets.list({ workspace }, query),
  task: (admin, workspace, query) => admin.tasks.list({ workspace }, query),
  project: (admin, workspace, query) => admin.projects.list({ workspace }, query),
  lead: (admin, workspace, query) => admin.leads.list({ workspace }, query),
} satisfies Record<
  string,
  (admin: Admin, workspace: number, query: { limit: number; before?: number }) => PromiseLike<Page>
>

/** One line for each thing in a workspace. What is created meanwhile is not in it, and nothing is in it twice. */
export async function* exportLines(admin: Admin, workspace: number, pageSize = 200): AsyncGenerator<string> {
  for (const [kind, list] of Object.entries(kinds)) {
    let before: number | null | undefined
    do {
      const page: Page = await list(admin, workspace, { limit: pageSize, ...(before ? { before } : {}) })
      for (const thing of page.data) yield `${JSON.stringify({ kind, ...thing })}\n`
      before = page.next_before
    } while (before !== null)
  }
}

if (import.meta.main) {
  const { SERVICE_ADMIN_URL: baseUrl = '', SERVICE_ADMIN_TOKEN: token = '' } = process.env
  const lines = exportLines(createAdminClient({ baseUrl, token }), Number(process.argv[2]))
  await pipeline(Readable.from(lines), process.stdout)
}
