import { type JsonObject, keysOf } from '../json.ts'
import type { Format } from './format.ts'

// A body may carry a thousand reports, and most of dozens of formats ask for names that a report does not have. Which
// names a format asks for is not written down a second time: it is asked about a report that has none, and overheard.

/** The names that a format asks an empty report for; null when it looks at all names there are. */
const namesAskedBy = ({ recognises }: Format): ReadonlySet<string> | null => {
  const names = new Set<string>()
  let looksAtAll = false
  const note = <Answer>(name: string | symbol, answer: Answer): Answer => {
    names.add(String(name))
    return answer
  }
  const listening: ProxyHandler<Record<string, unknown>> = {
    get: (_, name) => note(name, undefined),
    has: (_, name) => note(name, false),
    getOwnPropertyDescriptor: (_, name) => note(name, undefined),
    ownKeys: () => {
      looksAtAll = true
      return []
    },
  }
  const recognisesNothing = !recognises(new Proxy({}, listening))
  return recognisesNothing && !looksAtAll ? names : null
}

const mostRemembered = 1_000

/**
 * The formats that may recognise a report, in their order. One that knows no report without any of its names would say
 * of a report that has none of them what it says of an empty one.
 */
export const candidatesAmong = (formats: readonly Format[]): ((report: JsonObject) => readonly Format[]) => {
  const asking = formats.map((format) => ({ format, names: namesAskedBy(format) }))
  const telling = new Set(asking.flatMap(({ names }) => [...(names ?? [])]))
  const remembered = new Map<string, readonly Format[]>()
  return (report) => {
    const names = keysOf(report).filter((name) => telling.has(name))
    const key = names.join(' ')
    const known = remembered.get(key)
    if (known !== undefined) return known
    const mayRecognise = (asked: ReadonlySet<string> | null) => asked === null || names.some((name) => asked.has(name))
    const found = asking.filter((one) => mayRecognise(one.names)).map(({ format }) => format)
    if (remembered.size >= mostRemembered) remembered.clear()
    remembered.set(key, found)
    return found
  }
}
