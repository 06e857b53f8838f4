import type { Delivery } from '@service/client/admin'
import type { EventName } from '@service/contract'
import type { TestServer } from '../test-controls.ts'
import { describeDifferences, type FieldDifference, partialDifferences } from './expected-request.ts'

/** A delivery that a test expects. */
export interface ExpectedDelivery {
  readonly event: EventName
  /** What the JSON body must contain. */
  readonly payload: object
  /** The only workspace to look in; all by default. */
  readonly workspace?: number | undefined
}

/** One line of the delivery log, with the body that is sent. */
export interface DeliveryRecord {
  readonly id: number
  readonly event: string
  readonly state: string
  readonly attempts: number
  readonly error: string | null
  readonly body: unknown
}

type Asked = Pick<TestServer, 'admin' | 'settled'>

const mostWorkspaces = 200
const mostRead = 1000

/** The newest deliveries of a workspace, page by page. */
async function listAll(deliveries: Asked['admin']['deliveries'], workspace: number): Promise<Delivery[]> {
  const read: Delivery[] = []
  for (let before: number | undefined; read.length < mostRead; ) {
    const { data, next_before } = await deliveries.list({ workspace }, { limit: 200, before })
    read.push(...data)
    if (next_before === null) break
    before = next_before
  }
  return read
}

/** The log of all deliveries, oldest first, once no work is running or due. */
export async function deliveryRecords(server: Asked, workspace: number | undefined): Promise<DeliveryRecord[]> {
  await server.settled()
  const { workspaces, deliveries } = server.admin
  const ids =
    workspace === undefined ? (await workspaces.list({ limit: mostWorkspaces })).data.map(({ id }) => id) : [workspace]
  const logs = await Promise.all(
    ids.map(async (workspace) => {
      const listed = await listAll(deliveries, workspace)
      return Promise.all(listed.map(({ id }) => deliveries.get({ workspace, id })))
    }),
  )
  const records = logs.flat().map((each) => ({ ...each, body: JSON.parse(each.body) as unknown }))
  return records.toSorted((a, b) => a.id - b.id)
}

export const isDelivered = ({ event, payload }: ExpectedDelivery, record: DeliveryRecord) =>
  record.state === 'succeeded' &&
  record.event === event &&
  partialDifferences(payload, record.body, 'body').length === 0

/** The closest delivery with its differences, then the log. */
export function explainDelivered(expected: ExpectedDelivery, records: readonly DeliveryRecord[]): string {
  if (records.length === 0)
    return 'Nothing was delivered at all: is there a subscription, e.g. server.webhooks.capture()?'
  // A delivery of the same event is always closer than one of another event.
  const sameEvent = records.filter(({ event }) => event === expected.event)
  const [closest] = (sameEvent.length > 0 ? sameEvent : records)
    .map((record) => ({ record, differences: differencesTo(expected, record) }))
    .toSorted((a, b) => a.differences.length - b.differences.length)
  const log = records.slice(-10).map((record) => `  ${describeRecord(record)}`)
  return [
    ...(closest === undefined ? [] : [`The closest is delivery ${describeRecord(closest.record)}; it differs in`]),
    ...describeDifferences(closest?.differences ?? []),
    'The log has:',
    ...log,
  ].join('\n')
}

function differencesTo({ event, payload }: ExpectedDelivery, record: DeliveryRecord): FieldDifference[] {
  if (record.event !== event) return [{ field: 'event', expected: event, received: record.event }]
  return [
    ...partialDifferences('succeeded', record.state, 'state'),
    ...partialDifferences(payload, record.body, 'body'),
  ]
}

/** `#3 ticket.created pending after 2 attempts (500)` */
function describeRecord({ id, event, state, attempts, error }: DeliveryRecord): string {
  const tried = attempts === 1 ? '1 attempt' : `${attempts} attempts`
  return `#${id} ${event} ${state} after ${tried}${error === null ? '' : ` (${error})`}`
}
