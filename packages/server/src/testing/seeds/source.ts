import { readFile } from 'node:fs/promises'
import { extname, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type Document, type ErrorCode, isMap, isNode, isScalar, LineCounter, parseDocument } from 'yaml'
import { SeedError } from './seed.ts'

export type Path = readonly (string | number)[]

/** A parsed seed with the positions of its values. */
export interface Source {
  readonly data: unknown
  /** `file:line:column` with a leading space, or an empty string without a file. */
  locationOf(path: Path): string
}

const dataFiles = ['.yaml', '.yml', '.json']
const modules = ['.ts', '.mts', '.js', '.mjs']

/** Reads a data file, or the default export of a module. */
export async function readSource(file: string): Promise<Source> {
  const extension = extname(file).toLowerCase()
  if (modules.includes(extension)) return fromObject(await loadModule(file), `${file} `)
  if (dataFiles.includes(extension)) return fromText(file, await readText(file))
  throw new TypeError(
    `The seed ${JSON.stringify(file)} must be a scenario ('empty', 'demo', 'company', 'large', 'edge') or the path of a file that ends in ${[...dataFiles, ...modules].join(', ')}.`,
  )
}

export const fromObject = (data: unknown, location = ''): Source => ({ data, locationOf: () => location })

async function loadModule(file: string): Promise<unknown> {
  await readText(file) // the error of a missing module names the file that imports it
  try {
    const loaded: { default?: unknown } = await import(pathToFileURL(resolve(file)).href)
    return loaded.default
  } catch (cause) {
    throw new SeedError([`${file} cannot be loaded: ${cause}`], { cause })
  }
}

async function readText(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch {
    throw new SeedError([`${file} cannot be read.`])
  }
}

/** JSON is a subset of YAML, so both are parsed with positions. */
function fromText(file: string, text: string): Source {
  const lineCounter = new LineCounter()
  const document = parseDocument(text, { lineCounter, prettyErrors: false })
  const at = (offset: number) => {
    const { line, col } = lineCounter.linePos(offset)
    return `${file}:${line}:${col} `
  }
  if (document.errors.length > 0) {
    throw new SeedError(document.errors.map(({ pos, code, message }) => `${at(pos[0])}${messages[code] ?? message}`))
  }
  return { data: toValue(document, file), locationOf: (path) => at(findOffset(document, path)) }
}

/** For the author of a seed. The parser's message names its own functions. */
const messages: { readonly [Code in ErrorCode]?: string } = {
  MULTIPLE_DOCS: 'A seed is one YAML document, and here a second one begins.',
}

/** An alias without an anchor, or aliases that expand to a huge value, are found only now. */
function toValue(document: Document, file: string): unknown {
  try {
    return document.toJS() ?? {}
  } catch (cause) {
    throw new SeedError([`${file} cannot be read: ${cause instanceof Error ? cause.message : cause}`], { cause })
  }
}

/** The position of a value, of its key, or of the nearest parent. */
function findOffset(document: Document, path: Path): number {
  for (let length = path.length; length > 0; length -= 1) {
    const key = path[length - 1]
    const parent = document.getIn(path.slice(0, length - 1), true)
    const pair = isMap(parent) ? parent.items.find((item) => isScalar(item.key) && item.key.value === key) : undefined
    if (pair !== undefined && isNode(pair.key) && pair.key.range) return pair.key.range[0]
    const node = document.getIn(path.slice(0, length), true)
    if (isNode(node) && node.range) return node.range[0]
  }
  return 0
}
