import { describe, expect, it } from 'vitest'
import { gitHosts } from './hosts/index.ts'

const body = new TextEncoder().encode('{"a":1}')
const other = new TextEncoder().encode('{"a":2}')
const { github, gitlab, bitbucket } = gitHosts

describe('the id of a delivery', () => {
  it('is GitHub’s GUID, in any case of the header name', () => {
    expect(github.deliveryId({ 'X-GitHub-Delivery': '72d3162e-cc78-11e3' }, body)).toBe('72d3162e-cc78-11e3')
    expect(github.deliveryId({ 'x-github-delivery': '72d3162e-cc78-11e3' }, other)).toBe('72d3162e-cc78-11e3')
  })

  it('is GitLab’s idempotency key rather than one of its changing UUIDs', () => {
    const first = { 'Idempotency-Key': 'k1', 'X-Gitlab-Event-UUID': 'e1', 'X-Gitlab-Webhook-UUID': 'w1' }
    const retry = { 'Idempotency-Key': 'k1', 'X-Gitlab-Event-UUID': 'e2', 'X-Gitlab-Webhook-UUID': 'w2' }
    const another = { 'Idempotency-Key': 'k2', 'X-Gitlab-Event-UUID': 'e1' }
    expect(gitlab.deliveryId(retry, body)).toBe(gitlab.deliveryId(first, body))
    expect(gitlab.deliveryId(another, body)).not.toBe(gitlab.deliveryId(first, body))
  })

  it('is the signed webhook-id if GitLab signs, so that a changed key makes no second delivery', () => {
    const signed = { 'webhook-signature': 'v1,x', 'webhook-id': 'k1', 'Idempotency-Key': 'changed' }
    expect(gitlab.deliveryId(signed, body)).toBe('k1')
    expect(gitlab.deliveryId({ 'webhook-id': 'k1' }, body)).toBe('k1')
  })

  it('is Bitbucket’s request UUID, which its attempts share, rather than the hook’s', () => {
    const attempt = (number: string) => ({ 'X-Request-UUID': 'r1', 'X-Attempt-Number': number, 'X-Hook-UUID': 'h1' })
    expect(bitbucket.deliveryId(attempt('2'), body)).toBe(bitbucket.deliveryId(attempt('1'), body))
    expect(bitbucket.deliveryId({ 'X-Hook-UUID': 'h1' }, body)).not.toBe('h1')
  })

  it.each([
    [github, 'X-GitHub-Event'],
    [gitlab, 'X-Gitlab-Event'],
    [bitbucket, 'X-Event-Key'],
  ] as const)('is a hash of event and body if $key sends none', (host, header) => {
    const id = host.deliveryId({ [header]: 'one' }, body)
    expect(id).toMatch(/^sha256:[0-9a-f]{64}$/)
    expect(host.deliveryId({ [header.toLowerCase()]: 'one' }, body)).toBe(id)
    expect(host.deliveryId({ [header]: 'two' }, body)).not.toBe(id)
    expect(host.deliveryId({ [header]: 'one' }, other)).not.toBe(id)
  })

  it('always fits an index', () => {
    const long = github.deliveryId({ 'X-GitHub-Delivery': 'x'.repeat(10_000) }, body)
    expect(long).toMatch(/^sha256:[0-9a-f]{64}$/)
    expect(github.deliveryId({ 'X-GitHub-Delivery': 'with space' }, body)).toMatch(/^sha256:/)
    expect(github.deliveryId({ 'X-GitHub-Delivery': ' ' }, body)).toBe(github.deliveryId({}, body))
  })
})
