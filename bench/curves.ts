/** What becomes of something as it grows tenfold and tenfold again. */
export interface Curves {
  /** The name of its file, without `.svg`. */
  readonly file: string
  readonly title: string
  readonly unit: string
  /** Under the axis, e.g. `tickets`. Each step of it is as wide as the one before. */
  readonly axis: string
  readonly steps: readonly string[]
  readonly lines: readonly { readonly label: string; readonly values: readonly number[] }[]
}

const [width, height] = [720, 300]
const [left, right, top, bottom] = [56, 170, 40, 44]
const classes = ['one', 'two', 'three', 'four']

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

/** An image for a README: no script, no font of its own, legible on light and dark pages. */
export function curvesToSvg({ title, unit, axis, steps, lines }: Curves): string {
  const most = roundUp(Math.max(...lines.flatMap(({ values }) => values)))
  const x = (step: number) => left + ((width - left - right) * step) / Math.max(1, steps.length - 1)
  const y = (value: number) => height - bottom - ((height - top - bottom) * value) / most
  const marks = [0, 0.25, 0.5, 0.75, 1].map((part) => {
    const at = y(part * most).toFixed(1)
    return `<path d="M${left} ${at}H${width - right}" class="rule"/><text x="${left - 8}" y="${Number(at) + 4}" text-anchor="end">${Number((part * most).toPrecision(3))}</text>`
  })
  const names = steps.map(
    (step, index) =>
      `<text x="${x(index).toFixed(1)}" y="${height - bottom + 18}" text-anchor="middle">${escaped(step)}</text>`,
  )
  const ends = spaced(lines.map(({ values }) => y(values.at(-1) ?? 0)))
  const drawn = lines.map(({ label, values }, index) => {
    const points = values.map((value, step) => `${x(step).toFixed(1)} ${y(value).toFixed(1)}`)
    const dots = points.map((point) => `M${point}h0`).join('')
    return `<path d="M${points.join('L')}" class="line ${classes[index]}"/><path d="${dots}" class="dot ${classes[index]}"/>
<text x="${width - right + 12}" y="${((ends[index] ?? 0) + 4).toFixed(1)}" class="${classes[index]}">${escaped(label)}</text>`
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escaped(title)}">
<style>text{font:13px system-ui,sans-serif;fill:#57606a}path{fill:none}.rule{stroke:#d8dee4}.line{stroke-width:2}.dot{stroke-width:7;stroke-linecap:round}path.one{stroke:#3959da}path.two{stroke:#b45309}path.three{stroke:#0f766e}path.four{stroke:#a21caf}text.one{fill:#3959da}text.two{fill:#b45309}text.three{fill:#0f766e}text.four{fill:#a21caf}@media(prefers-color-scheme:dark){text{fill:#9aa4b2}.rule{stroke:#30363d}path.one{stroke:#7b93ff}path.two{stroke:#f0a35e}path.three{stroke:#4fd1c5}path.four{stroke:#e879f9}text.one{fill:#7b93ff}text.two{fill:#f0a35e}text.three{fill:#4fd1c5}text.four{fill:#e879f9}}</style>
<text x="0" y="20" font-weight="600">${escaped(`${title}, ${unit}`)}</text>
${[...marks, ...names, ...drawn].join('\n')}
<text x="${(left + width - right) / 2}" y="${height - 6}" text-anchor="middle">${escaped(axis)}</text>
</svg>
`
}

/** 1, 2 or 5 and noughts: what an axis ends with. */
function roundUp(value: number): number {
  const noughts = 10 ** Math.floor(Math.log10(value))
  return noughts * ([1, 2, 4, 6, 8, 10].find((step) => step * noughts >= value) ?? 10)
}

/** Labels that would lie on each other are moved apart. */
function spaced(places: readonly number[]): number[] {
  const order = places.map((place, index) => ({ place, index })).sort((a, b) => a.place - b.place)
  const moved = [...places]
  let last = Number.NEGATIVE_INFINITY
  for (const { place, index } of order) {
    last = Math.max(place, last + 17)
    moved[index] = last
  }
  return moved
}
