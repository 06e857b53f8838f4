import converter, { type Conversion } from 'openapi-to-postmanv2'
import type { OpenApiDocument } from '../../../packages/server/src/openapi/surface-document.ts'

/** A collection with the examples of the document, for Postman and for tools that read its collections. */
export async function toCollection(document: OpenApiDocument): Promise<string> {
  const data = { ...document, servers: [{ url: 'http://127.0.0.1:8080' }] }
  const options = {
    folderStrategy: 'Tags',
    parametersResolution: 'Example',
    // A fixed Idempotency-Key would return the first response again.
    enableOptionalParameters: false,
  }
  const { result, reason, output } = await new Promise<Conversion>((resolve, reject) => {
    converter.convertV2({ type: 'json', data }, options, (error, conversion) =>
      conversion === undefined ? reject(error) : resolve(conversion),
    )
  })
  const collection = output?.[0]?.data
  if (!result || collection === undefined) throw new Error(`The document has no collection: ${reason}`)
  return JSON.stringify({ ...collection, variable: [...collection.variable, { key: 'bearerToken', value: '' }] })
}
