import type { Fields } from '../../ui/page-types.ts'

/** What a form or a query string has sent, as pages ask for it. */
export const toFields = (params: URLSearchParams): Fields => ({
  text: (name) => (params.get(name) ?? '').trim(),
  list: (name) => params.getAll(name).map((text) => text.trim()),
  has: (name) => params.has(name),
  entries: () => [...params],
})
