import { fastInstant } from './fast-instant.ts'
import { floorBearer, floorLimiter, openFloorDatabase, refused, reply, serveFloor } from './floor-door.ts'

// The floor of the list: rows as arrays (raw), instants without Date, one JSON.stringify. The SQL is as one writes it.
// `tuned` adds a unary plus to its parameter: SQLite as better-sqlite3 builds it (with STAT4) plans a join anew whenever a
// bare parameter is bound again, and an expression that does nothing keeps it from that.

type ListedRow = [
  number,
  number,
  string,
  string,
  string,
  string | null,
  number | null,
  number | null,
  number,
  number,
  string | null,
  string | null,
]

const parameter = process.argv[3] === 'tuned' ? '+?' : '?'
const database = openFloorDatabase()
const bearer = floorBearer(database, 'tickets:read')
const remainingOf = floorLimiter()
const newest = database
  .prepare(`select t.id, t.number, t.title, t.status, t.priority, t.category, t.assigned_to, t.created_by, t.created_at,
      t.updated_at, assignee.name, creator.name
    from tickets t
      left join users assignee on assignee.id = t.assigned_to
      left join users creator on creator.id = t.created_by
    where t.workspace_id = ${parameter} order by t.id desc limit 50`)
  .raw()

function toListed(row: ListedRow) {
  return {
    id: row[0],
    ticket_number: `TKT-${String(row[1]).padStart(5, '0')}`,
    title: row[2],
    status: row[3],
    priority: row[4],
    category: row[5],
    assigned_to: row[6],
    created_by: row[7],
    created_at: fastInstant(row[8]),
    updated_at: fastInstant(row[9]),
    assignee: row[6] === null ? null : { id: row[6], name: row[10] },
    creator: row[7] === null ? null : { id: row[7], name: row[11] },
  }
}

serveFloor((request, response) => {
  const caller = bearer(request)
  if (typeof caller === 'number') return reply(response, refused(caller))
  const remaining = remainingOf(caller.tokenId)
  const rows = newest.all(caller.workspaceId) as ListedRow[] // the columns above
  reply(response, { status: 200, json: JSON.stringify({ data: rows.map(toListed) }), remaining })
})
