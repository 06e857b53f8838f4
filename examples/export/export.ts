import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type Admin, createAdminClient } from '@service/client/admin'

interface Page {
  readonly data: readonly { readonly id: number }[]
  readonly next_before: number | null
}

/** The exported lists. Each returns a page of objects before an id. */
const kinds = {
  ticket: (admin, workspace, query) => admin.tickets.list({ workspace }, query),
  task: (admin, workspace, query) => admin.tasks.list({ workspace }, query),
  project: (admin, workspace, query) => admin.projects.list({ workspace }, query),
  lead: (admin, workspace, query) => admin.leads.list({ workspace }, query),
} satisfies Record<
  string,
  (admin: Admin, workspace: number, query: { limit: number; before?: number }) => PromiseLike<Page>
>

/** Yields one line for each object of a workspace, without duplicates. Objects created during the export are not included. */
export async function* exportLines(admin: Admin, workspace: number, pageSize = 200): AsyncGenerator<string> {
  for (const [kind, list] of Object.entries(kinds)) {
    let before: number | null | undefined
    do {
      const page: Page = await list(admin, workspace, { limit: pageSize, ...(before ? { before } : {}) })
      for (const record of page.data) yield `${JSON.stringify({ kind, ...record })}\n`
      before = page.next_before
    } while (before !== null)
  }
}

if (import.meta.main) {
  const { SERVICE_ADMIN_URL: baseUrl = '', SERVICE_ADMIN_TOKEN: token = '' } = process.env
  const lines = exportLines(createAdminClient({ baseUrl, token }), Number(process.argv[2]))
  await pipeline(Readable.from(lines), process.stdout)
}
