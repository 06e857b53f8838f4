// Hono on better-sqlite3 as one writes it in ten minutes, without tokens or checks: node hono.mjs <port> <db.json> <database>
import { readFileSync } from 'node:fs'
import { serve } from '@hono/node-server'
import Sqlite from 'better-sqlite3'
import { Hono } from 'hono'

const [port, file, path] = process.argv.slice(2)
const database = new Sqlite(path)
database.pragma('journal_mode = wal')
database.pragma('synchronous = full')
database.exec('create table tickets (id integer primary key, body text not null)')
const insert = database.prepare('insert into tickets (body) values (?)')
const newest = database.prepare('select id, body from tickets order by id desc limit 50')
for (const ticket of JSON.parse(readFileSync(file, 'utf8')).tickets) insert.run(JSON.stringify(ticket))

const app = new Hono()
app.get('/tickets', (c) => c.json(newest.all().map(({ id, body }) => ({ ...JSON.parse(body), id }))))
app.post('/tickets', async (c) => {
  const ticket = await c.req.json()
  const { lastInsertRowid } = insert.run(JSON.stringify(ticket))
  return c.json({ ...ticket, id: Number(lastInsertRowid) }, 201)
})
serve({ fetch: app.fetch, port: Number(port), hostname: '127.0.0.1' })
