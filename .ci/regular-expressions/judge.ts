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
      const result = await check(expression.source, expression.flags, params)
      const literal = literalOf(expression)
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
