import type * as contract from '@service/contract'
import {
  apiRoutes,
  apiVersion,
  dealStages,
  type EventName,
  employmentTypes,
  eventNames,
  inboundRoutes,
  leadSources,
  leadStatuses,
  priorities,
  projectStatuses,
  punchActions,
  taskStatuses,
  ticketStatuses,
} from '@service/contract'
import { apiDocs, tags } from '@service/contract/docs'
import type { OpenField } from '@service/contract/known-values'
import type * as z from 'zod/mini'
import { eventParameters, toWebhook } from './event-operation.ts'
import { eventSchemaName, namedSchemas } from './schemas.ts'
import { describeSurface, type OpenApiDocument } from './surface-document.ts'

type Schemas = NonNullable<NonNullable<OpenApiDocument['components']>['schemas']>

/** The documented API as OpenAPI 3.1, generated from the contract. It does not depend on the configuration: `http/docs.ts` adds the address. */
export function createOpenApiDocument(): OpenApiDocument {
  const document = describeSurface({
    info: {
      title: 'Workspace Platform',
      version: apiVersion,
      summary: 'REST API, inbound webhooks and outbound events of a work platform.',
      description: introduction,
    },
    servers: [
      { url: '/', description: 'This server. The REST API is under /api/v1, the inbound webhooks under /api.' },
    ],
    tags: tags.api,
    routes: [...apiRoutes, ...inboundRoutes],
    docs: apiDocs,
    schemas: namedSchemas,
    webhooks: Object.fromEntries(eventNames.map((event) => [event, toWebhook(event)])),
    parameters: eventParameters,
  })
  annotate(document.components?.schemas ?? {})
  return document
}

/** Adds field descriptions here, to keep them out of the client's bundle. */
function annotate(schemas: Schemas): void {
  const eventBodies = Object.fromEntries(eventNames.map((event) => [eventSchemaName(event), eventNotes(event)]))
  for (const [name, notes] of Object.entries({ ...fieldNotes, ...eventBodies })) {
    for (const [field, description] of Object.entries(notes)) {
      const component = schemas[name]
      const properties = typeof component === 'object' && 'properties' in component ? component.properties : undefined
      const schema = properties?.[field]
      if (schema === undefined)
        throw new TypeError(`openapi/document.ts describes ${name}.${field}, which does not exist.`)
      Object.assign(schema, { description })
    }
  }
}

/** The introduction of the reference. */
const introduction = `Tickets, tasks, projects, HR and CRM of a workspace, with webhooks in both directions.

The REST API is under \`/api/v1\` and uses bearer tokens. The inbound webhooks are under \`/api\` and use the secrets described with each of them. All paths are absolute.

- **Format.** JSON in UTF-8 both ways. Date-times in responses are UTC with microseconds (\`2026-11-20T18:51:53.123456Z\`), days are \`YYYY-MM-DD\`, and amounts are strings with two decimals. Unset fields are \`null\`. Text must not contain U+0000. Unknown fields and query parameters are ignored, except the time of a punch under another name than \`timestamp\`.
- **Lists** hold at most 50 records, newest first.
- **Errors** have a \`message\`, and \`errors\` with messages per field if the body is invalid.
- **Rate limit.** 120 requests per minute for each token, or for each address without a token.
- **Safe retries.** Send an \`Idempotency-Key\` with a POST, and repeat it as often as you need. Git events do not need one, because their delivery ids have the same effect.
- **Open lists.** If a field names known values (a status, a priority), it may also have others.
`

const known = (values: readonly string[]) => `Known values: ${values.map((value) => `\`${value}\``).join(', ')}.`

const midnight = 'The given day at midnight UTC.'
const dueDay = 'A day, `YYYY-MM-DD`.'
const assignee = 'The user id of a member of the workspace.'
const decimal = 'A decimal with two places, e.g. `"1234.50"`.'
const ticket = { status: known(ticketStatuses), priority: known(priorities) }
const task = { status: known(taskStatuses), priority: known(priorities) }
const ticketNumber = '`TKT-` and a zero-padded number.'

const timestamp = 'When the event occurred, in ISO 8601 with an offset: `2026-11-20T18:51:53+00:00`.'
const changes = 'The old and new value of each changed field.'
const eventNotes = (event: EventName) => (event.endsWith('.updated') ? { timestamp, changes } : { timestamp })

type Notes<Schema extends z.ZodMiniObject> = { readonly [Field in keyof Schema['shape']]?: string } & {
  readonly [Field in OpenField<z.output<Schema>>]: string
}

type Components = {
  readonly [Name in keyof typeof contract as (typeof contract)[Name] extends z.ZodMiniObject
    ? Name
    : never]: (typeof contract)[Name]
}

/** Those with open lists, whose known values only their types have, do not compile without a note on each. */
type ComponentNotes = {
  readonly [Name in keyof Components as [OpenField<z.output<Components[Name]>>] extends [never] ? never : Name]: Notes<
    Components[Name]
  >
} & { readonly [Name in keyof Components]?: Notes<Components[Name]> }

/** Field descriptions that the types do not express, by component. */
const fieldNotes: ComponentNotes = {
  Ticket: { ...ticket, ticket_number: ticketNumber, assigned_to: assignee, created_by: assignee },
  CreatedTicket: { ...ticket, ticket_number: ticketNumber, assigned_to: assignee, created_by: assignee },
  NewTicket: { priority: `${known(priorities)} Defaults to \`medium\`.`, assigned_to: assignee, due_at: dueDay },
  Task: { ...task, due_at: midnight, assigned_to: assignee, created_by: assignee },
  NewTask: { ...task, due_at: dueDay, assigned_to: assignee, parent_id: 'The parent task.' },
  Project: { status: known(projectStatuses), color: 'A hex color, `#rrggbb`.' },
  Employee: {
    employment_type: known(employmentTypes),
    attendance_uid: "The employee's id on attendance devices.",
  },
  Device: { source_type: 'The kind of device agent.', external_device_id: 'The id that the device reports.' },
  NewPunch: {
    employee_code: 'Identifies the employee.',
    attendance_uid: 'Identifies the employee.',
    user_id: 'Identifies the employee.',
    email: 'Identifies the employee.',
    device_id: 'Identifies the device.',
    external_device_id: 'Identifies the device.',
    source_type: 'Identifies the device, together with `external_device_id`.',
    direction: 'Defaults to `toggle`, which ends the open session or starts one.',
    timestamp: 'The time of the punch, with a UTC offset. Defaults to now.',
  },
  RecordedPunch: {
    action: known(punchActions),
    duplicate: 'Whether the punch is a duplicate. `punch_id` is then the id of the first one.',
    check_out_at: '`null` while the session lasts, as after a check-in.',
  },
  UnmatchedPunch: {
    reason: known(['device_not_found', 'employee_not_found']),
    hint: 'How to resolve the problem.',
  },
  Deal: { stage: known(dealStages), amount: decimal },
  Lead: { source: known(leadSources), status: known(leadStatuses), estimated_value: decimal },
  NewLead: {
    source: `The key of an active lead source. ${known(leadSources)}`,
    estimated_value: 'At most two decimals are kept.',
  },
  ErrorBody: {
    message: 'One sentence.',
    errors: 'Messages per field. Keys are dotted paths such as `tags.0`.',
  },
  GitReceipt: {
    stored: 'How many activity entries the event created.',
    ticket_number: 'Present if a ticket was created.',
  },
  ErrorReceipt: { ticket_created: '`false` if the error was counted on an open ticket.' },
  LeadReceipt: { reason: 'Why no lead was created.', lead_id: 'The new lead, or the open one that it duplicates.' },
  LeadsPing: { source_hint: "The source in the request's path." },
  TicketInEvent: ticket,
  TaskInEvent: task,
  ProjectInEvent: { status: known(projectStatuses) },
}
