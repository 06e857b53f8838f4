import { fstatSync, writeSync } from 'node:fs'

/**
 * Writes to stdout. A file on a full disk accepts a part of the text without an error, so the rest is written until an
 * error occurs. It sets the exit code, but does not stop a server.
 */
export function print(text: string): void {
  const { fd } = process.stdout
  if (fd === undefined || !fstatSync(fd).isFile()) {
    process.stdout.write(text)
    return
  }
  try {
    let rest = Buffer.from(text)
    while (rest.length > 0) rest = rest.subarray(writeSync(fd, rest))
  } catch (fault) {
    reportWriteFault(fault)
  }
}

/** A reader that has seen enough, such as `head`, closes the pipe. */
export function reportWriteFault(fault: unknown): void {
  if (Object(fault).code === 'EPIPE') return
  process.stderr.write(`The output could not be written: ${fault instanceof Error ? fault.message : String(fault)}.\n`)
  process.exitCode ||= 1
}

/** Formats rows as a table. Columns are as wide as their widest value; numbers are right-aligned. */
export function toTable(rows: readonly object[], columns: readonly string[]): string {
  const cells = rows.map((row) => columns.map((column) => toText((row as Record<string, unknown>)[column])))
  const widths = columns.map((column, at) => Math.max(column.length, ...cells.map((row) => row[at]?.length ?? 0)))
  const isNumber = columns.map((_, at) => cells.length > 0 && cells.every((row) => /^(-?[\d.]+)?$/.test(row[at] ?? '')))
  const line = (row: readonly string[]) =>
    row
      .map((text, at) => (isNumber[at] ? text.padStart(widths[at] ?? 0) : text.padEnd(widths[at] ?? 0)))
      .join('  ')
      .trimEnd()
  return [line(columns.map((column) => column.toUpperCase())), ...cells.map(line)].join('\n')
}

/** Formats fields as lines. Their values are aligned. */
export function toLines(fields: readonly (readonly [string, unknown])[]): string {
  const width = Math.max(0, ...fields.map(([name]) => name.length))
  return fields.map(([name, field]) => `${name.padEnd(width)}  ${toText(field)}`.trimEnd()).join('\n')
}

/** The fields of answers that are meant to be pasted. */
const pastedFields = ['link', 'token', 'secret']

/** A text to paste is alone on the last line, so that `tail -n 1` prints exactly it. */
export const withPasted = (text: string, pasted: string): string => `${text}\n\n${toPastable(pasted)}`

/** An answer to read. */
export function toAnswer(answer: object): string {
  const fields = Object.entries(answer)
  const pasted = fields.find(([name, value]) => typeof value === 'string' && pastedFields.includes(name))
  const others = toLines(fields.filter((field) => field !== pasted))
  return pasted === undefined ? others : withPasted(others, pasted[1])
}

/** Control characters in data must not reach the terminal. */
const control = /[\u0000-\u001f\u007f-\u009f]/g

function toText(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (Array.isArray(value) && value.every((item) => typeof item !== 'object')) return toText(value.join(','))
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value)
  return text.replace(control, ' ')
}

/** A text to paste, unchanged in a pipe or a file. On a terminal, it has no control characters but line breaks. */
export const toPastable = (text: string): string =>
  process.stdout.isTTY === true ? text.split('\n').map(toText).join('\n') : text

export interface Progress {
  /** From 0 to 1. */
  report(done: number): void
  end(): void
}

/** Shows a progress bar on stderr if it is a terminal. stdout is reserved for results. */
export async function showProgress(what: string): Promise<Progress> {
  if (!process.stderr.isTTY) return { report: () => undefined, end: () => undefined }
  const { default: cliProgress } = await import('cli-progress')
  const format = `${what} [{bar}] {percentage}%`
  const bar = new cliProgress.SingleBar({ format, stream: process.stderr, hideCursor: true })
  bar.start(100, 0)
  return { report: (done) => bar.update(Math.floor(done * 100)), end: () => bar.stop() }
}
