import { createServer } from '@service/server'

const [data = '', rateLimit] = process.argv.slice(2)
const server = await createServer({ data, rateLimit: Number(rateLimit) })
const { url } = await server.listen()
console.log(JSON.stringify({ event: 'ready', base_url: `${url}/api/v1` }))
process.once('SIGTERM', () => void server.close())
