import type { Child } from 'hono/jsx'
import { newForm, queryValues, urlWith } from '../forms.ts'
import type { Fields } from '../page-types.ts'
import { Button } from './button.tsx'
import { type Option, SelectField, TextField } from './form.tsx'
import { Icon } from './icon.tsx'
import { Chip } from './tabs.tsx'

/** A property to filter by. Without options, it is a text field. */
interface Filter {
  readonly name: string
  readonly label: string
  readonly options?: readonly Option[] | undefined
  readonly type?: 'text' | 'date'
  readonly placeholder?: string
}

interface FilterBarProps {
  /** The list's path, without a query. */
  readonly path: string
  readonly query: Fields
  readonly filters: readonly Filter[]
  /** The name of the search field, if the list is searchable. */
  readonly search?: string | undefined
  /** Other query parameters to keep, such as the view. */
  readonly preserved?: readonly string[]
  /** Content before the filters. */
  readonly children?: Child
  readonly after?: Child
}

/** Search and filters of a list. The URL contains all of them, so filtered lists can be bookmarked and shared. */
export function FilterBar({ path, query, filters, search, preserved = [], children, after }: FilterBarProps) {
  const names = filters.map(({ name }) => name)
  const current = queryValues(query, [...preserved, ...names, ...(search === undefined ? [] : ['search'])])
  const active = filters.filter(({ name }) => current[name] !== '')
  return (
    <search class="toolbar">
      {children}
      {search !== undefined && <SearchForm path={path} label={search} values={current} />}
      {active.map(({ name, label, options }) => (
        <Chip
          name={label}
          value={options?.find(({ value }) => value === current[name])?.label ?? current[name] ?? ''}
          without={urlWith(path, { ...current, [name]: '' })}
        />
      ))}
      {filters.length > 0 && <FilterMenu path={path} filters={filters} values={current} />}
      {after}
    </search>
  )
}

type Values = Readonly<Record<string, string>>

function SearchForm({
  path,
  label,
  values,
}: {
  readonly path: string
  readonly label: string
  readonly values: Values
}) {
  const { search, ...others } = values
  return (
    <form class="search" action={path}>
      <Icon name="search" />
      <input
        class="input"
        type="search"
        name="search"
        dir="auto"
        value={search}
        placeholder={label}
        aria-label={label}
      />
      <span class="key" aria-hidden="true">
        /
      </span>
      <Hidden values={others} />
    </form>
  )
}

function FilterMenu({
  path,
  filters,
  values,
}: {
  readonly path: string
  readonly filters: readonly Filter[]
  readonly values: Values
}) {
  const state = newForm(values)
  const others = Object.entries(values).filter(([name]) => filters.every((filter) => filter.name !== name))
  return (
    <details class="filter" data-menu>
      <summary class="button quiet small">
        <Icon name="sliders-horizontal" />
        Filter
      </summary>
      <div class="menu">
        <form class="form" action={path}>
          <Hidden values={Object.fromEntries(others)} />
          {filters.map(({ name, label, options, ...field }) =>
            options === undefined ? (
              <TextField id={`filter-${name}`} name={name} label={label} state={state} {...field} />
            ) : (
              <SelectField
                id={`filter-${name}`}
                name={name}
                label={label}
                options={[{ value: '', label: 'Any' }, ...options]}
                narrow={false}
                state={state}
              />
            ),
          )}
          <Button>Show</Button>
        </form>
      </div>
    </details>
  )
}

const Hidden = ({ values }: { readonly values: Values }) => (
  <>
    {Object.entries(values).map(([name, value]) => value !== '' && <input type="hidden" name={name} value={value} />)}
  </>
)
