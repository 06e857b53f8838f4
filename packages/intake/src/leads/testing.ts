import { readFileSync } from 'node:fs'
import { parsePairs, toFormRecord } from './decoding/form-record.ts'
import { readLeads } from './read-leads.ts'

// Test bodies in form notation, one per line, which is shorter than JSON.

const encoded = (text: string) => text.replaceAll('+', '%2B')

/** `a[b]=1&c=true` → `{a: {b: '1'}, c: true}` */
export const parseBody = (notation: string): unknown =>
  JSON.parse(JSON.stringify(toFormRecord(parsePairs(encoded(notation)))), (_, value: unknown) =>
    value === 'true' || value === 'false' ? value === 'true' : value,
  )

export const readJson = (body: unknown, source = 'website') =>
  readLeads({ source, headers: {}, body: new TextEncoder().encode(JSON.stringify(body)) })

export const readForm = (fields: Readonly<Record<string, string>> | string) =>
  readLeads({
    source: 'website',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new TextEncoder().encode(new URLSearchParams(fields).toString()),
  })

export type Line = { readonly heading: string; readonly text: string }

/** The lines of a file next to the tests, with the heading above them. */
export const readLines = (file: string): readonly Line[] => {
  let heading = ''
  return readFileSync(new URL(file, import.meta.url), 'utf8')
    .split('\n')
    .flatMap((text) => {
      if (text.startsWith('## ')) heading = text.slice(3)
      return text === '' || text.startsWith('#') ? [] : { heading, text }
    })
}
