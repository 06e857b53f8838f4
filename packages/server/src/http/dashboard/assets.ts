import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { notFound } from '../../core/errors.ts'
import { answerFile, type StaticFile, toStaticFile } from '../static-file.ts'
import { type AssetName, assetNames, assetTypes } from './asset-sources.ts'

/** The static files of the dashboard. Their address changes with their content, so that browsers keep them for ever. */
export interface Assets {
  /** Changes with the content of any of them; styles name fonts beside themselves, so all have the same. */
  readonly version: string
  answer(request: Request, version: string, name: string): Promise<Response>
}

const forAYear = { 'cache-control': 'public, max-age=31536000, immutable' }
const revalidate = { 'cache-control': 'no-cache' }

let loaded: Promise<Assets> | undefined

/** Read at the first request for a page and kept; a failure is not kept. */
export function loadAssets(): Promise<Assets> {
  loaded ??= load().catch((fault) => {
    loaded = undefined
    throw fault
  })
  return loaded
}

async function load(): Promise<Assets> {
  const files = new Map<string, StaticFile>(
    await Promise.all(
      assetNames.map(async (name) => [name, await toStaticFile(assetTypes[name], await readAsset(name))] as const),
    ),
  )
  const hash = createHash('sha256')
  for (const file of files.values()) hash.update(file.version)
  const version = hash.digest('hex').slice(0, 16)
  return {
    version,
    async answer(request, asked, name) {
      const file = files.get(name)
      if (file === undefined) throw notFound('file')
      return answerFile(request, file, asked === version ? forAYear : revalidate)
    },
  }
}

async function readAsset(name: AssetName): Promise<string | Uint8Array> {
  try {
    return await readFile(new URL(`./assets/dashboard/${name}`, import.meta.url))
  } catch {
    // Only the sources run here, on a Node that strips types itself; older ones do not have the function.
    const [{ makeAsset }, { stripTypeScriptTypes }] = await Promise.all([
      import('./asset-sources.ts'),
      import('node:module'),
    ])
    return makeAsset(name, stripTypeScriptTypes)
  }
}
