import { readdir, readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'

// The dashboard's static files, generated from source. The build writes them next to the bundle, minified. When running
// from source, they are generated on the first request.

const ui = new URL('../../ui/', import.meta.url)
const resolve = createRequire(import.meta.url).resolve

export const assetTypes = {
  'dashboard.css': 'text/css; charset=utf-8',
  'dashboard.js': 'text/javascript; charset=utf-8',
  'board.css': 'text/css; charset=utf-8',
  'board.js': 'text/javascript; charset=utf-8',
  'mapping.css': 'text/css; charset=utf-8',
  'mapping.js': 'text/javascript; charset=utf-8',
  'mentions.js': 'text/javascript; charset=utf-8',
  'select.js': 'text/javascript; charset=utf-8',
  'htmx.js': 'text/javascript; charset=utf-8',
  'icons.svg': 'image/svg+xml',
  'mark.svg': 'image/svg+xml',
  'geist-latin.woff2': 'font/woff2',
  'geist-latin-ext.woff2': 'font/woff2',
  'geist-mono.woff2': 'font/woff2',
} as const

export type AssetName = keyof typeof assetTypes

export const assetNames = Object.keys(assetTypes) as AssetName[] // Object.keys loses the literal types

export async function makeAsset(
  name: AssetName,
  stripTypes: (source: string) => string | Promise<string>,
): Promise<string | Uint8Array> {
  if (name === 'dashboard.css')
    return [await readText('fonts/fonts.css'), ...(await readAll('styles/', byStyleOrder))].join('\n')
  if (name === 'dashboard.js') {
    const scripts = await Promise.all((await readAll('scripts/')).map((script) => stripTypes(script)))
    return scripts.map(toBlock).join('\n')
  }
  if (name === 'htmx.js') return readFile(resolve('htmx.org/dist/htmx.min.js'))
  // Files that only some pages load have a folder of their name.
  const [part = '', type] = name.split('.')
  if (type === 'css') return readText(`${part}/${name}`)
  if (type === 'js') return toBlock(await stripTypes(await readText(`${part}/${part}.ts`)))
  return readFile(fileURLToPath(new URL(name.endsWith('.woff2') ? `fonts/${name}` : name, ui)))
}

/** Tokens and base styles come first. */
const first = ['tokens.css', 'base.css']
const byStyleOrder = (a: string, b: string) => orderOf(a) - orderOf(b) || a.localeCompare(b)
const orderOf = (name: string) => (first.includes(name) ? first.indexOf(name) : first.length)

async function readAll(folder: string, order?: (a: string, b: string) => number): Promise<string[]> {
  const names = (await readdir(new URL(folder, ui))).toSorted(order)
  return Promise.all(names.map((name) => readText(folder + name)))
}

const readText = (path: string) => readFile(new URL(path, ui), 'utf8')

/** In strict mode, function declarations are scoped to their block. */
const toBlock = (script: string) => `'use strict';{\n${script}\n}`
