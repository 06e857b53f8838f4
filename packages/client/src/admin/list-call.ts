import type { Page } from '@service/contract/admin/pages'
import type { Call } from '../call.ts'
import { requireInteger } from '../requirements.ts'

/**
 * A running call of a list. Awaited, it returns one page. Iterated, it reads all pages, each when its first item is
 * needed: `for await (const ticket of admin.tickets.list({ workspace }))`.
 */
export interface ListCall<Body extends { data: unknown[] }> extends Call<Body>, AsyncIterable<Body['data'][number]> {
  /** Returns the items of all pages, at most `limit` of them. Reads no page that it does not need. */
  all(options?: { readonly limit?: number | undefined }): Promise<Body['data']>
  /** Returns the pages, each read when it is needed. */
  pages(): AsyncIterable<Body>
}

type Cursor = { readonly before?: number; readonly cursor?: string }

/** Sends the first page now, and the following pages while the list is iterated. */
export function toListCall(send: (cursor: Cursor) => Call<Page<unknown>>): ListCall<Page<unknown>> {
  const first = send({})
  async function* pages() {
    let page: Page<unknown> = await first
    for (;;) {
      yield page
      const cursor = cursorAfter(page)
      if (cursor === undefined) return
      page = await send(cursor)
    }
  }
  async function* items() {
    for await (const { data } of pages()) yield* data
  }
  return Object.assign(first, {
    pages,
    [Symbol.asyncIterator]: items,
    async all({ limit }: { readonly limit?: number | undefined } = {}) {
      // If the limit is refused, nothing else would handle a failure of the first page.
      first.catch(() => undefined)
      requireInteger('limit', limit, 1)
      const gathered: unknown[] = []
      for await (const item of items()) if (gathered.push(item) === limit) break
      return gathered
    },
  })
}

/** Lists that can be sorted have a cursor besides the id. */
function cursorAfter({ next_before, next_cursor }: Page<unknown>): Cursor | undefined {
  if (next_cursor) return { cursor: next_cursor }
  return next_before ? { before: next_before } : undefined
}
