// What each row of the table of formats is worth: how many facts of the bodies in CORPUS are read right with the row, and
// how many if the next reader took its bodies. `CORPUS=<directory> node packages/intake/build/ablation.ts`
import { decodeReport, defaultLimits } from '../src/errors/decode.ts'
import type { Format } from '../src/errors/formats/format.ts'
import { formats } from '../src/errors/formats/index.ts'
import { startWalking } from '../src/errors/guess/walk.ts'
import { type ErrorRecord, toRecord } from '../src/errors/record.ts'
import type { JsonRecord } from '../src/sanitize/json-path.ts'
import { type CorpusCase, corpusCases, isRight } from './corpus.ts'

const fieldOf: Readonly<Record<string, keyof ErrorRecord>> = { status_code: 'status', app_name: 'app' }
const labels = [
  ...['message', 'exception', 'file', 'line', 'status_code', 'url', 'method', 'framework', 'environment', 'app_name'],
  'severity',
]

const readWith = (reader: Format, report: JsonRecord): ErrorRecord | undefined =>
  (reader.split?.(report) ?? [report]).flatMap((entry) => reader.read(entry, report)).map(toRecord)[0]

const rightIn = ({ expected }: CorpusCase, record: ErrorRecord | undefined): number =>
  labels.filter((label) => {
    const field = fieldOf[label] ?? label
    // `as`: every label is a field, or named in `fieldOf`.
    return label in expected && isRight(expected, label, record?.[field as keyof ErrorRecord] ?? null)
  }).length

type Worth = { bodies: number; right: number; otherwise: number }
const worth = new Map<string, Worth>()

for (const each of corpusCases().filter(({ provider }) => provider === 'errors')) {
  startWalking()
  const { documents } = decodeReport({ body: each.body, headers: new Headers(each.headers), limits: defaultLimits })
  const [report] = documents
  if (report === undefined) continue
  const [reader, next] = formats.filter((format) => format.recognizes(report))
  if (reader === undefined || next === undefined) continue
  const { name } = reader
  const sum = worth.get(name) ?? { bodies: 0, right: 0, otherwise: 0 }
  sum.bodies += 1
  sum.right += rightIn(each, readWith(reader, report))
  sum.otherwise += rightIn(each, readWith(next, report))
  worth.set(name, sum)
}

const line = (cells: readonly unknown[]) =>
  cells
    .map((cell) => String(cell).padEnd(24))
    .join('')
    .trimEnd()
process.stdout.write(`${line(['row', 'bodies', 'facts right', 'without the row'])}\n`)
for (const [name, { bodies, right, otherwise }] of [...worth].sort(
  ([, a], [, b]) => b.right - b.otherwise - a.right + a.otherwise,
))
  process.stdout.write(`${line([name, bodies, right, otherwise])}\n`)
