import { fingerprint } from '@service/intake/errors/fingerprint'
import { maskSecrets } from '@service/intake/errors/mask'
import { readErrorReports } from '@service/intake/errors/read-error-reports'
import { largeBodies } from './large-bodies.ts'

const warmUps = 4
const measured = 5

function cpuMs(work: () => unknown): number {
  const before = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

/** Processor time of the whole process, so that compiling and collecting garbage count. */
function median(work: () => unknown): number {
  for (let turn = 0; turn < warmUps; turn += 1) work()
  const figures = Array.from({ length: measured }, () => cpuMs(work)).sort((one, other) => one - other)
  return figures[Math.floor(measured / 2)] ?? Number.NaN
}

const [name = ''] = process.argv.slice(2)
const text = JSON.stringify(largeBodies[name]?.())
const body = new TextEncoder().encode(text)
const headers = new Headers({ 'content-type': 'application/json' })

/** All that is done with a body before the database is asked. */
function read(): number {
  const records = readErrorReports({ body, headers, minLevel: 'error' }).map(maskSecrets)
  return records.map((record) => fingerprint(record) + JSON.stringify(record)).length
}

const result = { reports: read(), bytes: body.length, readMs: median(read), parseMs: median(() => JSON.parse(text)) }
process.stdout.write(JSON.stringify(result))
