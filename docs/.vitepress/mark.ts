import { readFileSync } from 'node:fs'

/** The mark of the dashboard, a dark square with a light line, as data URLs, because its file is outside of the site. */
const mark = readFileSync(new URL('../../packages/server/src/ui/mark.svg', import.meta.url), 'utf8')
const dark = { square: '#ebecee', line: '#171b21' }

const toUrl = (svg: string) => `data:image/svg+xml,${encodeURIComponent(svg)}`

/** In the theme of the page. */
export const logo = {
  light: toUrl(mark),
  dark: toUrl(
    mark.replace('fill="#171b21"', `fill="${dark.square}"`).replace('stroke="#fff"', `stroke="${dark.line}"`),
  ),
  alt: '',
}

/** In the theme of the browser, whose tabs do not follow the page. */
export const favicon = toUrl(
  mark.replace(
    '<rect',
    `<style>@media (prefers-color-scheme: dark) { rect { fill: ${dark.square} } path { stroke: ${dark.line} } }</style><rect`,
  ),
)
