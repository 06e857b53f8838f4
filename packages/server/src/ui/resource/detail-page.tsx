import type { Child } from 'hono/jsx'
import { LinkButton } from '../components/button.tsx'
import { Facts, PageHead } from '../components/card.tsx'
import { Confirm } from '../components/dialog.tsx'
import { type PageResult, recordRef, redirect, show, type WorkspacePage } from '../page-types.ts'
import { type AnyRecord, type AnyResource, crumbsOf, getField, pathOf, type ResourceDetail } from './resource.ts'

interface DetailProps {
  readonly resource: AnyResource
  readonly page: WorkspacePage
  readonly record: AnyRecord
  readonly detail: ResourceDetail<string>
}

export async function detailPage(resource: AnyResource, page: WorkspacePage): Promise<PageResult> {
  const { noun, role } = resource
  const record = await resource.api(page.admin).get(recordRef(page))
  const detail = (await resource.detail?.(page, record)) ?? { facts: [] }
  const props: DetailProps = { resource, page, record, detail }
  const title = resource.title(record)
  const actions = page.can(role) && <Actions {...props} />
  return show({
    title,
    live: true,
    crumbs: crumbsOf(resource, page),
    body: (
      <div class="stack" id={`${noun}-detail-${record.id}`} data-live={detail.live ?? `${noun}s`}>
        <PageHead
          title={title}
          badge={detail.badge !== undefined && renderField(props, detail.badge)}
          actions={actions}
        >
          {detail.summary}
        </PageHead>
        {detail.facts.length > 0 && <Facts facts={factsOf(props)} />}
        <Prose {...props} />
        {detail.below}
      </div>
    ),
  })
}

function Actions({ resource, page, record, detail }: DetailProps) {
  const { noun, deletes, form } = resource
  const own = page.link(`${pathOf(resource)}/${record.id}`)
  const title = resource.title(record)
  return (
    <>
      {deletes !== undefined && detail.isProtected !== true && (
        <Confirm
          id={`delete-${noun}-${record.id}`}
          button={{ icon: 'trash-2', label: 'Delete', variant: 'quiet' }}
          title={deletes.of === undefined ? `Delete “${title}”?` : `Delete the ${deletes.of} of ${title}?`}
          action={`${own}/delete`}
          confirmLabel={`Delete ${deletes.of ?? noun}`}
        >
          {deletes.effect ?? 'This cannot be undone.'}
        </Confirm>
      )}
      <LinkButton id={`edit-${noun}`} href={`${own}/edit`} icon="pencil" shortcut="e">
        {form.verb ?? 'Edit'}
      </LinkButton>
      {detail.actions}
    </>
  )
}

const isEmpty = (value: unknown) => value === null || value === '' || (Array.isArray(value) && value.length === 0)

function factsOf({ resource, page, record, detail }: DetailProps) {
  return detail.facts.map((fact): readonly [name: Child, value: Child] | false | undefined => {
    if (typeof fact !== 'string') return fact
    const name = fact.replace('?', '')
    if (name !== fact && isEmpty(record[name])) return false
    return [getField(resource, name).label, renderField({ resource, page, record }, name)]
  })
}

function renderField({ resource, page, record }: Omit<DetailProps, 'detail'>, name: string) {
  const { show, fact = show } = getField(resource, name)
  return fact(record[name], { page, names: {}, row: record })
}

function Prose({ resource, record, detail: { prose } }: DetailProps) {
  if (prose === undefined || isEmpty(record[prose])) return null
  return (
    <section class="section">
      <h2>{getField(resource, prose).label}</h2>
      <p class="prose" dir="auto">
        {String(record[prose])}
      </p>
    </section>
  )
}

/** Deletes the record and redirects to the list. */
export async function deleteRecord(resource: AnyResource, page: WorkspacePage): Promise<PageResult> {
  const api = resource.api(page.admin)
  const what = resource.deletes?.of
  const title = resource.title(await api.get(recordRef(page)))
  await api.delete?.(recordRef(page))
  return redirect(page.link(pathOf(resource)), `${what === undefined ? title : `The ${what} of ${title}`} is deleted`)
}
