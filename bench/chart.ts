/** Bars beside each other, the lowest first; `ours` is filled. */
export interface Chart {
  /** The name of its file, without `.svg`. */
  readonly file: string
  readonly title: string
  readonly unit: string
  readonly bars: readonly { readonly label: string; readonly value: number; readonly isOurs: boolean }[]
}

const width = 720
const [labelWidth, valueWidth, rowHeight, headHeight] = [300, 90, 30, 46]

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

/** An image for a README: no script, no font of its own, legible on light and dark pages. */
export function toSvg({ title, unit, bars }: Chart): string {
  const sorted = [...bars].sort((one, other) => one.value - other.value)
  const longest = Math.max(...sorted.map(({ value }) => value))
  const rows = sorted.map(({ label, value, isOurs }, index) => {
    const y = headHeight + index * rowHeight
    const length = Math.max(2, ((width - labelWidth - valueWidth) * value) / longest)
    const end = labelWidth + length + 8
    return `<text x="${labelWidth - 10}" y="${y + 18}" text-anchor="end">${escaped(label)}</text>
<rect x="${labelWidth}" y="${y + 5}" width="${length.toFixed(1)}" height="18" rx="3" class="${isOurs ? 'ours' : 'other'}"/>
<text x="${end.toFixed(1)}" y="${y + 18}"${isOurs ? ' font-weight="600"' : ''}>${Math.round(value)} ${escaped(unit)}</text>`
  })
  const height = headHeight + bars.length * rowHeight + 8
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escaped(title)}">
<style>text{font:13px system-ui,sans-serif;fill:#57606a}.ours{fill:#3959da}.other{fill:#b6bcc6}@media(prefers-color-scheme:dark){text{fill:#9aa4b2}.ours{fill:#7b93ff}.other{fill:#4a5261}}</style>
<text x="0" y="20" font-weight="600">${escaped(title)}</text>
${rows.join('\n')}
</svg>
`
}
