import type { WorkspacePages } from '../page-types.ts'
import { changeSelected } from './bulk-change.tsx'
import { deleteRecord, detailPage } from './detail-page.tsx'
import { downloadCsv } from './export.ts'
import { createRecord, editPage, moveRecord, newPage, updateRecord } from './form-pages.tsx'
import { listPage } from './list-page.tsx'
import { type AnyResource, pathOf } from './resource.ts'
import { changeViews } from './saved-views.tsx'

/** The pages of a resource, as far as its description defines them. */
export function resourcePages(resource: AnyResource): WorkspacePages {
  const { role, list, board, form, detail, deletes } = resource
  const path = pathOf(resource)
  const recordPath = `${path}/{id}`
  const pages: readonly (WorkspacePages[number] | false)[] = [
    { method: 'GET', path, handle: (page) => listPage(resource, page) },
    { method: 'GET', path: `${path}/export`, handle: (page) => downloadCsv(resource, page) },
    list.views !== undefined && {
      method: 'POST',
      path: `${path}/views`,
      handle: (page) => changeViews(resource, page),
    },
    list.bulk !== undefined && {
      method: 'POST',
      path: `${path}/bulk`,
      role,
      handle: (page) => changeSelected(resource, page),
    },
    form.create !== undefined && {
      method: 'GET',
      path: `${path}/new`,
      role,
      handle: (page) => newPage(resource, page),
    },
    form.create !== undefined && { method: 'POST', path, role, handle: (page) => createRecord(resource, page) },
    detail !== undefined && { method: 'GET', path: recordPath, handle: (page) => detailPage(resource, page) },
    { method: 'GET', path: `${recordPath}/edit`, role, handle: (page) => editPage(resource, page) },
    { method: 'POST', path: recordPath, role, handle: (page) => updateRecord(resource, page) },
    board !== undefined && {
      method: 'POST',
      path: `${recordPath}/${board.by}`,
      role,
      handle: (page) => moveRecord(resource, page, board),
    },
    deletes !== undefined && {
      method: 'POST',
      path: `${recordPath}/delete`,
      role,
      handle: (page) => deleteRecord(resource, page),
    },
  ]
  return pages.filter((page) => page !== false)
}
