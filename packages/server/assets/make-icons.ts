import { readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { iconNames } from '../src/ui/icon-names.ts'

// Makes one file of symbols from those Lucide icons that the dashboard uses.

const resolve = createRequire(import.meta.url).resolve
const target = fileURLToPath(new URL('../src/ui/icons.svg', import.meta.url))

async function symbolOf(name: string): Promise<string> {
  const svg = await readFile(resolve(`lucide-static/icons/${name}.svg`), 'utf8')
  const shapes = svg.slice(svg.indexOf('>', svg.indexOf('<svg')) + 1, svg.lastIndexOf('</svg>'))
  const compact = shapes.replace(/\s+/g, ' ').replaceAll(' />', '/>').replaceAll('> <', '><').trim()
  return `<symbol id="${name}" viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round">${compact}</symbol>`
}

const symbols = await Promise.all(iconNames.map(symbolOf))
await writeFile(target, `<svg xmlns="http://www.w3.org/2000/svg">\n${symbols.join('\n')}\n</svg>\n`)
process.stdout.write(`${symbols.length} icons\n`)
