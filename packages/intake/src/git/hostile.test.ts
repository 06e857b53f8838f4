import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { UnreadableBody } from '../sanitize/decode.ts'
import { gitHosts } from './hosts/index.ts'

// biome-ignore format: a list of words
const keys = [
  'action', 'issue', 'number', 'title', 'html_url', 'body', 'user', 'login', 'repository', 'full_name', 'sender', 'commits', 'ref',
  'before', 'after', 'head_commit', 'pull_request', 'object_kind', 'object_attributes', 'iid', 'id', 'url', 'project', 'push',
  'changes', 'new', 'old', 'target', 'actor', 'links', 'html', 'href', 'total_commits_count', 'pullrequest', 'pullRequest', 'toRef',
  '__proto__', 'constructor', 'toString',
]

const leaf = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom(
    'opened',
    'open',
    'issue',
    'work_item',
    'push',
    'refs/heads/x',
    '\0',
    '\uD800',
    'javascript:alert(1)',
  ),
  fc.double(),
  fc.integer(),
  fc.boolean(),
  fc.constant(null),
)

const hostileJson = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'medium', withCrossShrink: true },
    leaf,
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(fc.constantFrom(...keys), tie('value'), { maxKeys: 12 }),
  ),
})).value

const event = fc.oneof(
  fc.constantFrom(
    'issues',
    'push',
    'pull_request',
    'release',
    'Issue Hook',
    'Push Hook',
    'Note Hook',
    'repo:push',
    'issue:created',
  ),
  fc.string({ unit: 'binary' }),
)

const keptLinks = (value: unknown): unknown[] =>
  typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([key, inner]) => (key === 'url' && inner !== null ? [inner] : keptLinks(inner)))
    : []

const keptTexts = (value: unknown): string[] => {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(keptTexts) : []
}

describe.each(Object.values(gitHosts))('any body posted as $key', (host) => {
  it('is read into clean plain data or refused with UnreadableBody', () => {
    fc.assert(
      fc.property(event, hostileJson, (name, value) => {
        const body = new TextEncoder().encode(JSON.stringify(value))
        try {
          const read = host.readEvent({ [host.eventHeaders[0]]: name }, body)
          expect(structuredClone(read)).toEqual(read)
          expect(read.activities.length).toBeGreaterThan(0)
          for (const text of keptTexts(read)) expect(text).not.toMatch(/\0|\p{Surrogate}/u)
          for (const link of keptLinks(read)) expect(link).toMatch(/^https?:/i)
        } catch (error) {
          if (!(error instanceof UnreadableBody)) throw error
          expect(typeof value === 'object' && value !== null && !Array.isArray(value)).toBe(false)
        }
      }),
      { numRuns: 400 },
    )
  })

  it('is refused with UnreadableBody if it is not JSON', () => {
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        const body = Uint8Array.of(0x7b, ...bytes, 0x5d)
        expect(() => host.readEvent({}, body)).toThrow(UnreadableBody)
      }),
    )
  })

  it('is read with headers as an array, a record, or Headers', () => {
    const body = new TextEncoder().encode('{"a":1}')
    const fromRecord = host.readEvent({ [host.eventHeaders[0]]: 'thing' }, body)
    expect(host.readEvent(new Headers({ [host.eventHeaders[0]]: 'thing' }), body)).toEqual(fromRecord)
    expect(host.readEvent([[host.eventHeaders[0].toUpperCase(), 'thing']], body)).toEqual(fromRecord)
    expect(fromRecord.event).toBe('thing')
  })
})
