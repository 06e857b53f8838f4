/** Example values under short names such as `title-only`. */
export type Values = Readonly<Record<string, unknown>>

/** The form that OpenAPI gives to examples; `title-only` is shown as "Title only". */
export function examplesOf(values: Values): Record<string, { summary: string; value: unknown }> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, { summary: titleOf(name), value }]))
}

function titleOf(name: string): string {
  const words = name.replaceAll('-', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
