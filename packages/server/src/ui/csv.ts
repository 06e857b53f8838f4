type Cell = string | number | null

/** A line of a CSV file (RFC 4180). */
export const csvLine = (cells: readonly Cell[]): string => `${cells.map(toCell).join(',')}\r\n`

/** The first line, after the mark without which Excel reads a file as its country's encoding instead of UTF-8. */
export const csvHead = (cells: readonly Cell[]): string => `\uFEFF${csvLine(cells)}`

function toCell(value: Cell): string {
  if (typeof value === 'number') return String(value)
  const text = withoutFormulas(value ?? '')
  return /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** A run of separators and invisible characters, or the start of the text, and the character after it. */
const afterSeparators = /(^|[,;\s\p{Cc}\p{Cf}]+)([^,;\s\p{Cc}\p{Cf}]|$)/gu

/**
 * Spreadsheets execute text that begins with one of `=+-@`, also as a full-width character or after invisible ones. In
 * countries with a decimal comma they split lines at semicolons, and then quotes within a line do not hold a cell
 * together. So the apostrophe, which marks text, also comes after each separator within a cell.
 */
function withoutFormulas(text: string): string {
  const marked = /[=+\-@＝＋－＠]/.test(text)
    ? text.replace(afterSeparators, (all: string, ...groups: Groups) => markFormula(all, groups))
    : text
  return /^[\t\r\n]/.test(marked) ? `'${marked}` : marked
}

type Groups = [run: string, next: string, at: number]

function markFormula(all: string, [run, next, at]: Groups): string {
  if (!/^[=+\-@＝＋－＠]/.test(next)) return all
  const separated = /[,;\t\r\n]/.test(run) ? `${run}'${next}` : all
  return at === 0 && !/^[\t\r\n]/.test(run) ? `'${separated}` : separated
}
