import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

const source = readFileSync(new URL('./styles/tokens.css', import.meta.url), 'utf8')

interface Oklch {
  readonly lightness: number
  readonly chroma: number
  readonly hue: number
}

const toOklch = (text: string): Oklch => {
  const [lightness = 0, chroma = 0, hue = 0] = text.split(' ').map(Number)
  return { lightness, chroma, hue }
}

/** The colors of both themes by name. Shadows are translucent and are skipped. */
const colours = new Map(
  [...source.matchAll(/--([\w-]+): light-dark\(oklch\(([\d. ]+)\), oklch\(([\d. ]+)\)\);/g)].map(
    ([, name = '', light = '', dark = '']) => [name, { light: toOklch(light), dark: toOklch(dark) }],
  ),
)

/** Björn Ottosson's matrices; the result is linear sRGB. */
function toLinear({ lightness, chroma, hue }: Oklch): readonly number[] {
  const a = chroma * Math.cos((hue * Math.PI) / 180)
  const b = chroma * Math.sin((hue * Math.PI) / 180)
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3
  return [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ]
}

type Theme = 'light' | 'dark'
const themes: readonly Theme[] = ['light', 'dark']

function luminance(name: string, theme: Theme): number {
  const colour = colours.get(name)
  if (colour === undefined) throw new Error(`The color ${name} is not defined.`)
  const [red = 0, green = 0, blue = 0] = toLinear(colour[theme])
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function contrast(one: string, other: string, theme: Theme): number {
  const [dim = 0, bright = 0] = [luminance(one, theme), luminance(other, theme)].toSorted((a, b) => a - b)
  return (bright + 0.05) / (dim + 0.05)
}

const grounds = ['surface', 'canvas', 'raised', 'hover', 'selected']
const states = ['ok', 'warn', 'bad', 'info']

/** Text colors and the backgrounds they appear on. */
const texts = [
  ...['text', 'text-2', 'text-3'].flatMap((text) => grounds.map((ground) => [text, ground] as const)),
  ['text', 'mute-tint'],
  ['text-2', 'mute-tint'],
  ['ink-text', 'ink'],
  ['ink-text', 'ink-hover'],
  ...['surface', 'canvas', 'raised', 'hover'].map((ground) => ['accent-text', ground] as const),
  ...states.flatMap((state) => [
    [`${state}-text`, `${state}-tint`] as const,
    [`${state}-text`, 'surface'] as const,
    [`${state}-text`, 'raised'] as const,
    [`${state}-text`, 'canvas'] as const,
  ]),
] as const

/** Non-text colors that must be visible. */
const solids = [...states, 'accent', 'edge', 'mute']

describe('the colors', () => {
  it.each(texts)('%s on %s can be read (4.5:1)', (text, ground) => {
    for (const theme of themes) expect(contrast(text, ground, theme), theme).toBeGreaterThanOrEqual(4.5)
  })

  it.each(solids)('%s stands out from the page (3:1)', (solid) => {
    for (const theme of themes) expect(contrast(solid, 'surface', theme), theme).toBeGreaterThanOrEqual(3)
  })

  it('are all within sRGB, so that every screen shows the same', () => {
    expect(colours.size).toBeGreaterThan(25)
    const outside = [...colours].flatMap(([name, colour]) =>
      themes
        .filter((theme) => toLinear(colour[theme]).some((part) => part < -0.0005 || part > 1.0005))
        .map((theme) => `${name} (${theme})`),
    )
    expect(outside).toEqual([])
  })
})
