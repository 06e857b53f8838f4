import type { IncomingMessage } from 'node:http'
import * as z from 'zod/mini'
import { createTransaction } from './create-transaction.ts'
import {
  type FloorCaller,
  floorBearer,
  floorLimiter,
  openFloorDatabase,
  refused,
  reply,
  serveFloor,
} from './floor-door.ts'

// The floor of the creation: a checked body, then one durable commit per request.

const id = z.nullish(z.int().check(z.positive()))
const NewTicket = z.object({
  title: z.string().check(z.minLength(1), z.maxLength(255)),
  description: z.nullish(z.string().check(z.maxLength(65_535))),
  priority: z.nullish(z.string().check(z.minLength(1), z.maxLength(64))),
  category: z.nullish(z.string().check(z.minLength(1), z.maxLength(64))),
  assigned_to: id,
  project_id: id,
  due_at: z.nullish(z.iso.date()),
  tags: z.nullish(z.array(z.string().check(z.minLength(1), z.maxLength(64))).check(z.maxLength(50))),
})
export type NewTicket = z.output<typeof NewTicket>

const database = openFloorDatabase()
const bearer = floorBearer(database, 'tickets:write')
const remainingOf = floorLimiter()
const create = createTransaction(database)

function answer(caller: FloorCaller, text: string): { status: number; json: string } {
  const parsed = z.safeParse(NewTicket, JSON.parse(text))
  const created = parsed.success ? create(caller, parsed.data) : undefined
  if (created === undefined) return refused(422)
  return { status: 201, json: JSON.stringify({ data: created }) }
}

function readText(request: IncomingMessage, use: (text: string) => void): void {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => use(Buffer.concat(chunks).toString('utf8')))
}

serveFloor((request, response) => {
  const caller = bearer(request)
  if (typeof caller === 'number') return reply(response, refused(caller))
  const remaining = remainingOf(caller.tokenId)
  readText(request, (text) => {
    reply(response, { ...answer(caller, text), remaining })
  })
})
