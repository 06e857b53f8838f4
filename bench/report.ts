import type { Findings, Goal } from './findings.ts'
import type { Machine } from './machine.ts'
import type { Spread } from './spread.ts'

/** The whole report as Markdown; it reads well in a terminal too, because every column is padded. */
export function toMarkdown(machine: Machine, findings: readonly Findings[], intro: string): string {
  return [`# Benchmarks\n\n${intro}`, describeRun(machine), ...findings.map(toSection)].join('\n\n').concat('\n')
}

/** When and on what was measured, in a line. */
export function describeRun({ date, cpu, cores, memory, system, node, loadBefore }: Machine): string {
  return `${date} · ${cpu}, ${cores} cores, ${memory} · ${system} · Node ${node} · load before the run ${loadBefore}`
}

/** One comparison, beginning with its `## ` line. */
export function toSection({ title, method, columns, rows, goals, details = [] }: Findings): string {
  const figures = table(
    ['', ...columns],
    rows.map(({ name, cells }) => [name, ...cells.map(show)]),
  )
  const parts = [`## ${title}`, method]
  if (rows.length > 0) parts.push(figures)
  if (goals.length > 0) parts.push(goalTable(goals))
  parts.push(...goals.flatMap(({ says, met, why }) => (met || why === undefined ? [] : [`Not met, ${says}: ${why}`])))
  for (const { head, lines } of details) parts.push(table(head, lines))
  return parts.join('\n\n')
}

function goalTable(goals: readonly Goal[]): string {
  const lines = goals.map(({ says, wanted, got, met }) => [says, wanted, show(got), met ? 'yes' : '**no**'])
  return table(['goal', 'wanted', 'measured', 'met'], lines)
}

function table(head: readonly string[], lines: readonly (readonly string[])[]): string {
  const widths = head.map((_, column) => Math.max(...[head, ...lines].map((line) => (line[column] ?? '').length), 3))
  const draw = (line: readonly string[]) =>
    `| ${widths.map((width, at) => (line[at] ?? '').padEnd(width)).join(' | ')} |`
  return [draw(head), draw(widths.map((width) => '-'.repeat(width))), ...lines.map(draw)].join('\n')
}

/** Median, and the range in parentheses when there is one. */
export function show(spread: Spread | undefined): string {
  if (spread === undefined) return ''
  const { median, min, max } = spread
  return min === max ? digits(median) : `${digits(median)} (${digits(min)}–${digits(max)})`
}

/** Three figures are more than a shared machine can promise. */
function digits(value: number): string {
  if (value === 0) return '0'
  if (Math.abs(value) >= 100) return Math.round(value).toString()
  return Math.abs(value) >= 10 ? value.toFixed(1) : value.toFixed(2)
}
