import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { lazily } from '../../core/lazily.ts'
import { jsonHeaders } from '../error-response.ts'
import { answerFile, type StaticFile, toStaticFile } from '../static-file.ts'
import { type AssetName, assetNames, assetTypes } from './asset-sources.ts'

/** The dashboard's static files. Their URLs change with their content, so that browsers can cache them indefinitely. */
export interface Assets {
  /** Changes with the content of any file. All files share it, because styles refer to fonts by relative URL. */
  readonly version: string
  answer(request: Request, version: string, name: string): Promise<Response>
}

export const unknownFile = () =>
  Response.json({ message: 'The file was not found.' }, { status: 404, headers: jsonHeaders })

const immutable = { 'cache-control': 'public, max-age=31536000, immutable' }
const revalidate = { 'cache-control': 'no-cache' }

/** Loaded on the first page request. */
export const loadAssets = lazily(load)

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
    async answer(request, requestedVersion, name) {
      const file = files.get(name)
      if (file === undefined) return unknownFile()
      return answerFile(request, file, requestedVersion === version ? immutable : revalidate)
    },
  }
}

async function readAsset(name: AssetName): Promise<string | Uint8Array> {
  try {
    return await readFile(new URL(`./assets/dashboard/${name}`, import.meta.url))
  } catch {
    // Only when running from source, on a Node version that strips types; older versions lack this function.
    const [{ makeAsset }, { stripTypeScriptTypes }] = await Promise.all([
      import('./asset-sources.ts'),
      import('node:module'),
    ])
    return makeAsset(name, stripTypeScriptTypes)
  }
}
