import type { CrashReport } from './crash.ts'

/** What was proved on one database. */
export interface CrashProof extends CrashReport {
  readonly database: 'sqlite' | 'postgres'
}

const names = {
  sqlite: 'SQLite, `synchronous=FULL`',
  postgres: 'PostgreSQL 18 (`fsync=off`, as in the tests)',
} as const

/** Upper ends of the groups in which repetitions per crash are counted. */
const ends = [0, 4, 16, 64, 128, 256, Number.POSITIVE_INFINITY] as const

/** The result as a section of RESULTS.md. */
export function crashSection(proofs: readonly CrashProof[], date: Date): string {
  const kills = proofs.map((proof) => proof.kills).join(' and ')
  return `## kill -9 at random moments

\`pnpm proof:crash\`, ${kills} kills, ${date.toISOString().slice(0, 10)}: a process in which eight writers create tickets for a
subscriber, one in five of which is undone, is killed and started again. At the end everything that was committed must have
been delivered under one id, nothing that was undone, and nothing twice between two crashes.

${table(
  ['database', 'kills', 'acknowledged', 'committed', 'delivered', 'repeated', 'promises broken'],
  proofs.map((proof) => [
    names[proof.database],
    ...[proof.kills, proof.acknowledged, proof.committed, proof.received, proof.repeated, proof.broken.length].map(
      String,
    ),
  ]),
)}

How many deliveries were repeated after a crash, and after how many of the crashes:

${table(
  ['database', ...ends.map(groupName)],
  proofs.map((proof) => [names[proof.database], ...histogram(proof.repeatedPerCrash).map(String)]),
)}`
}

function histogram(repeats: readonly number[]): number[] {
  return ends.map((end, at) => repeats.filter((count) => count <= end && count > (ends[at - 1] ?? -1)).length)
}

function groupName(end: number, at: number): string {
  if (end === 0) return 'none'
  const from = (ends[at - 1] ?? 0) + 1
  return end === Number.POSITIVE_INFINITY ? `${from} or more` : `${from}–${end}`
}

function table(head: readonly string[], lines: readonly (readonly string[])[]): string {
  return [head, head.map(() => '---'), ...lines].map((line) => `| ${line.join(' | ')} |`).join('\n')
}
