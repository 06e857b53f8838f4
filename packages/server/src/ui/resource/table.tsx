import { RowLink, Table } from '../components/table.tsx'
import type { Around } from './fields.tsx'
import { type AnyRecord, type Described, fieldOf, pathOf } from './resource.ts'

interface ResourceTableProps extends Pick<Around, 'page' | 'names'> {
  readonly resource: Described
  readonly rows: readonly AnyRecord[]
  readonly caption: string
  readonly bleed?: boolean
}

/** A table of records. */
export function ResourceTable({ resource, page, names, rows, caption, bleed = false }: ResourceTableProps) {
  const { noun, list } = resource
  const columns = list.columns.map((name) => {
    const { label, column = label, look = '', isHidden = false, show } = fieldOf(resource, name)
    if (name === list.link) return { name: column, look: 'wide', isHidden, classes: 'wide', cell: linkCell }
    const width = list.onPhones.includes(name) ? '' : ' wide-only'
    const cell = (row: AnyRecord) => show(row[name], { page, names, row })
    return {
      name: column,
      look: `${look.replace(/quiet|meta/, '')}${width}`.trim() || undefined,
      isHidden,
      classes: `${look}${width} tight`,
      cell,
    }
  })
  function linkCell(row: AnyRecord) {
    return <LinkCell resource={resource} around={{ page, names, row }} />
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

function LinkCell({ resource, around }: { readonly resource: Described; readonly around: Around<AnyRecord> }) {
  const { noun, list } = resource
  const { page, row } = around
  const id = `open-${noun}-${row.id}`
  const href = page.link(`${pathOf(resource)}/${row.id}`)
  return (
    <>
      <div class="with-icon">
        {list.mark?.(row)}
        <RowLink id={id} href={href} drawer={list.drawer ?? true}>
          {fieldOf(resource, list.link).show(row[list.link], around)}
        </RowLink>
        {list.beside?.(row)}
      </div>
      {list.second && (
        <div class="second clip" dir="auto">
          {list.second(row, around)}
        </div>
      )}
    </>
  )
}
