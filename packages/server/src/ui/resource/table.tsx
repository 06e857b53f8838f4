import { RowLink, Table } from '../components/table.tsx'
import type { RenderContext } from './fields.tsx'
import { type AnyRecord, type AnyResource, fieldOf, pathOf } from './resource.ts'

interface ResourceTableProps extends Pick<RenderContext, 'page' | 'names'> {
  readonly resource: AnyResource
  readonly rows: readonly AnyRecord[]
  readonly caption: string
  readonly bleed?: boolean
}

/** A table of records. */
export function ResourceTable({ resource, page, names, rows, caption, bleed = false }: ResourceTableProps) {
  const { noun, list } = resource
  const columns = list.columns.map((name) => {
    const { label, column = label, classes = '', isHidden = false, show } = fieldOf(resource, name)
    if (name === list.link) return { name: column, look: 'wide', isHidden, classes: 'wide', cell: linkCell }
    const width = list.onPhones.includes(name) ? '' : ' wide-only'
    const cell = (row: AnyRecord) => show(row[name], { page, names, row })
    return {
      name: column,
      look: `${classes.replace(/quiet|meta/, '')}${width}`.trim() || undefined,
      isHidden,
      classes: `${classes}${width} tight`,
      cell,
    }
  })
  function linkCell(row: AnyRecord) {
    return <LinkCell resource={resource} context={{ page, names, row }} />
  }
  return (
    <Table bleed={bleed} caption={caption} columns={columns}>
      {rows.map((row) => (
        <tr id={`${noun}-${row.id}`}>
          {columns.map(({ classes, cell }) => (
            <td class={classes}>{cell(row)}</td>
          ))}
        </tr>
      ))}
    </Table>
  )
}

function LinkCell({
  resource,
  context,
}: {
  readonly resource: AnyResource
  readonly context: RenderContext<AnyRecord>
}) {
  const { noun, list } = resource
  const { page, row } = context
  const id = `open-${noun}-${row.id}`
  const href = page.link(`${pathOf(resource)}/${row.id}`)
  return (
    <>
      <div class="with-icon">
        {list.mark?.(row)}
        <RowLink id={id} href={href} drawer={list.drawer ?? true}>
          {fieldOf(resource, list.link).show(row[list.link], context)}
        </RowLink>
        {list.after?.(row)}
      </div>
      {list.secondLine && (
        <div class="second clip" dir="auto">
          {list.secondLine(row, context)}
        </div>
      )}
    </>
  )
}
