import type { WorkspacePages } from '../page-types.ts'
import { deleteRecord, detailPage } from './detail-page.tsx'
import { createRecord, editPage, moveRecord, newPage, updateRecord } from './form-pages.tsx'
import { listPage } from './list-page.tsx'
import { type Described, pathOf } from './resource.ts'

/** The pages of a resource, as far as its description defines them. */
export function resourcePages(resource: Described): WorkspacePages {
  const { role, board, form, detail, deletes } = resource
  const path = pathOf(resource)
  const one = `${path}/{id}`
  const pages: readonly (WorkspacePages[number] | false)[] = [
    { method: 'GET', path, handle: (page) => listPage(resource, page) },
    form.create !== undefined && {
      method: 'GET',
      path: `${path}/new`,
      role,
      handle: (page) => newPage(resource, page),
    },
    form.create !== undefined && { method: 'POST', path, role, handle: (page) => createRecord(resource, page) },
    detail !== undefined && { method: 'GET', path: one, handle: (page) => detailPage(resource, page) },
    { method: 'GET', path: `${one}/edit`, role, handle: (page) => editPage(resource, page) },
    { method: 'POST', path: one, role, handle: (page) => updateRecord(resource, page) },
    board !== undefined && {
      method: 'POST',
      path: `${one}/${board.by}`,
      role,
      handle: (page) => moveRecord(resource, page, board),
    },
    deletes !== undefined && {
      method: 'POST',
      path: `${one}/delete`,
      role,
      handle: (page) => deleteRecord(resource, page),
    },
  ]
  return pages.filter((page) => page !== false)
}
