import { availableParallelism } from 'node:os'
import type { FoundExpression } from './find.ts'
import { type Entry, literalOf } from './verdicts.ts'

// The automaton decides or gives up. The other checker of recheck tries inputs, and finds different ones each time.
const params = { checker: 'automaton', timeout: 20_000 } as const

/** Verdicts by hash, and a sentence for each expression that must be rewritten. */
export interface Judged {
  readonly found: Record<string, Entry>
  readonly complaints: string[]
}

/** Each analysis is a process of its own, so they run side by side. */
export async function judge(expressions: readonly (readonly [string, FoundExpression])[]): Promise<Judged> {
  const judged: Judged = { found: {}, complaints: [] }
  if (expressions.length === 0) return judged
  // The native binary, and nothing else: Java is on few machines, and JavaScript takes ten times as long.
  process.env['RECHECK_BACKEND'] = 'native'
  const { check } = await import('recheck')
  const waiting = [...expressions]
  const work = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const [hash, expression] = next
      const literal = literalOf(expression)
      const asWritten = await check(expression.source, expression.flags, params)
      const unbounded = await check(withoutBounds(expression.source), expression.flags, params)
      const isExponential = unbounded.status === 'vulnerable' && unbounded.complexity.type === 'exponential'
      const result = isExponential ? unbounded : asWritten
      if (result.status === 'vulnerable')
        judged.complaints.push(
          `${expression.place}: ${literal} is vulnerable, ${result.complexity.summary}. Rewrite it.`,
        )
      else judged.found[hash] = { verdict: result.status === 'safe' ? 'safe' : 'undecided', expression: literal }
    }
  }
  await Promise.all(Array.from({ length: availableParallelism() }, work))
  return judged
}

/** From here on a bound is as good as none: eight times sixty signs can be split in more ways than there is time for. */
const manyTimes = 5

/**
 * To an automaton everything with bounds is finite, and so safe. Whether it would try every split of a text shows itself
 * without them.
 */
const withoutBounds = (source: string): string =>
  source.replace(/\\.|\[(?:\\.|[^\]\\])*\]|\{(\d+),(\d+)\}/g, (part, least?: string, most?: string) => {
    if (least === undefined || Number(most) < manyTimes) return part
    return least === '0' ? '*' : '+'
  })
