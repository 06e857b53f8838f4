import { readFileSync } from 'node:fs'
import { serveFloor } from './floor-door.ts'

// The least that an answer costs: the bytes of a file for every request, looked at by nobody.

const [file = ''] = process.argv.slice(2)
const body = readFileSync(file)
const headers = { 'content-type': 'application/json', 'content-length': body.length }

serveFloor((_request, response) => {
  response.writeHead(200, headers)
  response.end(body)
})
