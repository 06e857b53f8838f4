// An emulator of one's own on emulate, with its state in memory: node emulate.mjs <port> <db.json>
import { readFileSync } from 'node:fs'
import { createEmulator, defineEmulator } from 'emulate'

const [port, file] = process.argv.slice(2)
const tickets = defineEmulator({
  name: 'tickets',
  state: () => JSON.parse(readFileSync(file, 'utf8')),
  setup({ app, state }) {
    app.get('/tickets', (c) => c.json(state.tickets.slice(0, 50)))
    app.post('/tickets', async (c) => {
      const ticket = { id: state.tickets.length + 1, ...(await c.req.json()) }
      state.tickets.push(ticket)
      return c.json(ticket, 201)
    })
  },
})
await createEmulator({ service: tickets, port: Number(port) })
