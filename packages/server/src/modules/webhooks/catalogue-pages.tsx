import { type EventName, eventNames, eventSchemas, events } from '@service/contract'
import { eventExamples } from '@service/contract/docs/event-examples'
import { fieldForms } from '@service/contract/field-forms'
import * as z from 'zod/mini'
import { Code } from '../../ui/components/code.tsx'
import { Table } from '../../ui/components/table.tsx'
import { type PageResult, show, type WorkspacePage } from '../../ui/page-types.ts'
import { WebhookTabs } from './list-pages.tsx'

/** What can be sent: each event with what it has and an example. */
export function eventCatalogue(page: WorkspacePage): PageResult {
  return show({
    title: 'Event catalogue',
    crumbs: [{ label: 'Webhooks', href: page.link('/webhooks') }],
    body: (
      <>
        <h1 class="sr">Event catalogue</h1>
        <WebhookTabs page={page} current="events" />
        <div class="card">
          {eventNames.map((name) => (
            <CatalogueEntry name={name} />
          ))}
        </div>
      </>
    ),
  })
}

function CatalogueEntry({ name }: { readonly name: EventName }) {
  return (
    <details class="disclosure" id={name} name="events">
      <summary>
        <strong>
          <code>{name}</code>
        </strong>
        <span class="quiet clip">When {events[name]}</span>
      </summary>
      <div class="split card-body">
        <Code id={`example-${name}`} title="Example">
          {JSON.stringify(eventExamples[name], null, 2)}
        </Code>
        <div class="scroller table-frame">
          <Table caption={`Fields of ${name}`} columns={[{ name: 'Field' }, { name: 'Type' }]}>
            {fieldsOf(z.toJSONSchema(eventSchemas[name], { metadata: fieldForms })).map(({ path, type }) => (
              <tr>
                <td>
                  <code>{path}</code>
                </td>
                <td class="meta">{type}</td>
              </tr>
            ))}
          </Table>
        </div>
      </div>
    </details>
  )
}

interface Field {
  readonly path: string
  readonly type: string
}

/** The fields of an object with those of the objects in it, one after the other. */
function fieldsOf(schema: z.core.JSONSchema.BaseSchema, prefix = ''): readonly Field[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    if (typeof field === 'boolean') return []
    const path = `${prefix}${name}`
    return [{ path, type: typeOf(field) }, ...fieldsOf(objectIn(field), `${path}.`)]
  })
}

/** What can be null has its object behind a choice. */
const objectIn = (field: z.core.JSONSchema.BaseSchema): z.core.JSONSchema.BaseSchema =>
  field.anyOf?.find(({ properties }) => properties !== undefined) ?? field

function typeOf({ type, const: value, anyOf }: z.core.JSONSchema.BaseSchema): string {
  if (value !== undefined) return JSON.stringify(value)
  if (anyOf !== undefined) return [...new Set(anyOf.map(typeOf))].join(' or ')
  return [type ?? 'any'].flat().join(' or ')
}
