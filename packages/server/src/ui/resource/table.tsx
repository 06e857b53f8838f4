import { RowLink, Table } from '../components/table.tsx'
import { urlWith } from '../forms.ts'
import type { WorkspacePage } from '../page-types.ts'
import type { RenderContext } from './fields.tsx'
import { linkInList, listValues } from './list-query.ts'
import { type AnyRecord, type AnyResource, getField, pathOf } from './resource.ts'

interface ResourceTableProps extends Pick<RenderContext, 'page' | 'names'> {
  readonly resource: AnyResource
  readonly rows: readonly AnyRecord[]
  readonly caption: string
  /** Whether it is the list page, where rows can be sorted. */
  readonly isList?: boolean
  /** Whether rows can be selected for the bulk bar. */
  readonly isSelectable?: boolean
  /** The ids of the rows that are selected at first. */
  readonly selected?: readonly number[] | undefined
}

/** A table of records. */
export function ResourceTable({ caption, isList = false, ...props }: ResourceTableProps) {
  const { resource, rows, isSelectable = false, selected = [] } = props
  const columns = createColumns(props, isList)
  return (
    <Table
      bleed={isList}
      caption={caption}
      columns={isSelectable ? [{ name: 'Select', classes: 'check', content: <SelectAll /> }, ...columns] : columns}
    >
      {rows.map((row, index) => (
        <tr id={`${resource.noun}-${row.id}`}>
          {isSelectable && <SelectCell resource={resource} row={row} isSelected={selected.includes(row.id)} />}
          {columns.map(({ cellClasses, cell }) => (
            <td class={cellClasses}>{cell(row, index)}</td>
          ))}
        </tr>
      ))}
    </Table>
  )
}

function createColumns({ resource, page, names }: Omit<ResourceTableProps, 'caption'>, isList: boolean) {
  const { list, fields } = resource
  const derived = Object.keys(fields).filter((name) => fields[name]?.isDerived === true && name in list.row.shape)
  return [...list.columns, ...derived].map((name) => {
    const { label, column = label, classes = '', isHidden = false, show } = getField(resource, name)
    const sort = isList ? getSort(resource, page, name) : {}
    if (name === list.link) {
      const cell = (row: AnyRecord, index: number) => (
        <LinkCell resource={resource} context={{ page, names, row }} index={isList ? index : undefined} />
      )
      return { name: column, classes: 'wide', isHidden, cellClasses: 'wide', cell, ...sort }
    }
    const width = list.onPhones.includes(name) ? '' : ' wide-only'
    return {
      name: column,
      classes: `${classes.replace(/quiet|meta/, '')}${width}`.trim() || undefined,
      isHidden,
      cellClasses: `${classes}${width} tight`,
      cell: (row: AnyRecord) => show(row[name], { page, names, row }),
      ...sort,
    }
  })
}

function getSort(resource: AnyResource, page: WorkspacePage, name: string) {
  const order = resource.list.sorts?.[name]
  if (order === undefined) return {}
  const [by, direction] = order
  const isCurrent = page.query.text('sort') === by
  const values = { ...listValues(resource, page.query), sort: isCurrent ? '' : by }
  return { sort: { href: urlWith(page.link(pathOf(resource)), values), direction, isCurrent } }
}

/** Hidden without JavaScript. */
const SelectAll = () => <input type="checkbox" data-select-all hidden aria-label="Select all" />

interface SelectCellProps {
  readonly resource: AnyResource
  readonly row: AnyRecord
  readonly isSelected: boolean
}

const SelectCell = ({ resource, row, isSelected }: SelectCellProps) => (
  <td class="check">
    <input
      type="checkbox"
      class="above"
      id={`select-${resource.noun}-${row.id}`}
      form={`${resource.noun}-bulk`}
      name="id"
      value={row.id}
      checked={isSelected}
      aria-label={`Select ${resource.title(row)}`}
    />
  </td>
)

interface LinkCellProps {
  readonly resource: AnyResource
  readonly context: RenderContext<AnyRecord>
  /** The position in the list. */
  readonly index: number | undefined
}

function LinkCell({ resource, context, index }: LinkCellProps) {
  const { noun, list } = resource
  const { page, row } = context
  const id = `open-${noun}-${row.id}`
  const path = page.link(`${pathOf(resource)}/${row.id}`)
  const href = index === undefined ? path : linkInList(resource, page, { id: row.id, index })
  return (
    <>
      <div class="with-icon">
        {list.mark?.(row)}
        <RowLink id={id} href={href} drawer={list.drawer ?? true}>
          {getField(resource, list.link).show(row[list.link], context)}
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
