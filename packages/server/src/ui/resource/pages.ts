import type { PageResult, WorkspacePage, WorkspacePages } from '../page-types.ts'
import { changeSelected, undoChange } from './bulk-change.tsx'
import { deleteRecord, detailPage } from './detail-page.tsx'
import { downloadCsv } from './export.ts'
import { createRecord, editPage, moveRecord, newPage, updateRecord } from './form-pages.tsx'
import { listPage } from './list-page.tsx'
import { type AnyResource, pathOf } from './resource.ts'
import { changeViews, removeView, renameView } from './view-changes.ts'

type Handler = (resource: AnyResource, page: WorkspacePage) => PageResult | Promise<PageResult>

/** The pages of a resource, as far as its description defines them. */
export function resourcePages(resource: AnyResource): WorkspacePages {
  const { list, board, form, detail, deletes } = resource
  const path = pathOf(resource)
  const record = `${path}/{id}`
  const view = (at: string, handle: Handler) =>
    ({ method: 'GET', path: at, handle: (page: WorkspacePage) => handle(resource, page) }) as const
  const edit = (at: string, handle: Handler) => ({ ...view(at, handle), role: resource.role })
  const change = (at: string, handle: Handler) => ({ ...edit(at, handle), method: 'POST' }) as const
  return [
    view(path, listPage),
    view(`${path}/export`, downloadCsv),
    ...(list.views === undefined
      ? []
      : [
          { ...view(`${path}/views`, changeViews), method: 'POST' as const },
          { ...change(`${path}/views/{id}`, renameView), role: 'admin' as const },
          { ...change(`${path}/views/{id}/delete`, removeView), role: 'admin' as const },
        ]),
    ...(list.bulk === undefined
      ? []
      : [change(`${path}/bulk`, changeSelected), change(`${path}/bulk/undo`, undoChange)]),
    ...(form.create === undefined
      ? []
      : [{ ...edit(`${path}/new`, newPage), creates: resource.noun }, change(path, createRecord)]),
    ...(detail === undefined ? [] : [view(record, detailPage)]),
    edit(`${record}/edit`, editPage),
    change(record, updateRecord),
    ...(board === undefined ? [] : [change(`${record}/${board.by}`, (of, page) => moveRecord(of, page, board))]),
    ...(deletes === undefined ? [] : [change(`${record}/delete`, deleteRecord)]),
  ]
}
