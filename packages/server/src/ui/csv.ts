type Cell = string | number | null

/** A line of a CSV file (RFC 4180). */
export const csvLine = (cells: readonly Cell[]): string => `${cells.map(toCell).join(',')}\r\n`

function toCell(value: Cell): string {
  if (typeof value === 'number') return String(value)
  // Spreadsheets execute text that begins with one of these characters as a formula.
  const text = /^[=+\-@\t\r]/.test(value ?? '') ? `'${value}` : (value ?? '')
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
