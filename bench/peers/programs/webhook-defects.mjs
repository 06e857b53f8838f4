// How a library takes deliveries that are unusual, or forged: node webhook-defects.mjs <library> <our module>. Prints what
// came of each as JSON: right, accepted (a forgery), refused (a good one), raw error (none that a receiver knows), missing.
import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'

// Before the libraries load, so that they get this one.
let comparisons = 0
const native = crypto.timingSafeEqual
crypto.timingSafeEqual = (one, other) => {
  comparisons += 1
  return native(one, other)
}
syncBuiltinESMExports()
const { libraries } = await import('./webhook-verifiers.mjs')

const [name, module] = process.argv.slice(2)
const library = await libraries[name]({ module })
const { secret, sign, verify, signatureHeader, timestampHeader, otherSignature } = library
const body = JSON.stringify({ event: 'ticket.created', workspace_id: 1, ticket: { id: 1, title: 'Zażółć � gęślą' } })
const headers = sign(body)
const changed = (value) => ({ ...headers, [signatureHeader]: value })
const nowSeconds = Math.floor(Date.now() / 1000)

async function outcomeOf(run) {
  try {
    const event = await run()
    return event === undefined ? 'read nothing' : 'accepted'
  } catch (error) {
    return library.isTyped(error) ? 'refused' : `raw ${error.constructor.name}`
  }
}

/** A delivery as the platform sends it. */
const good = async (run) => {
  const outcome = await outcomeOf(run)
  return outcome === 'accepted' ? 'right' : outcome
}
/** One that nobody signed, or that must not count any more; or a mistake of the receiver's. */
const bad = async (run) => {
  const outcome = await outcomeOf(run)
  return outcome === 'refused' ? 'right' : outcome
}
/** A mistake in the set-up may throw what it likes, as long as it throws. */
const loud = async (run) => ((await outcomeOf(run)) === 'accepted' ? 'accepted' : 'right')
const ifIt = (offers, probe) => (offers ? probe() : 'missing')

const replacement = Buffer.from('\uFFFD')
function tampered() {
  const bytes = Buffer.from(body)
  const at = bytes.indexOf(replacement)
  return Buffer.concat([bytes.subarray(0, at), Buffer.from([0xff]), bytes.subarray(at + replacement.length)])
}
const timestamped = timestampHeader !== undefined || library.timestampInSignature === true
const withTimestamp = (timestamp) => verify(body, sign(body, { timestamp }))

/** Nothing but the text of the timestamp changes, after it was signed. */
const withLetters = (signed) =>
  timestampHeader === undefined
    ? { [signatureHeader]: signed[signatureHeader].replace(/^t=\d+/, '$&x') }
    : { ...signed, [timestampHeader]: `${signed[timestampHeader]}x` }

/** CPU time of refusing a header of so many wrong signatures, in microseconds. */
function costOf(count) {
  const separator = signatureHeader === 'stripe-signature' ? ',' : ' '
  const value = Array.from({ length: count }, () => otherSignature).join(separator)
  const long = { ...sign(body, { before: [] }), [signatureHeader]: value }
  const before = process.cpuUsage()
  for (let round = 0; round < 20; round += 1) {
    try {
      verify(body, long)
    } catch {
      // It is to be refused.
    }
  }
  const { user, system } = process.cpuUsage(before)
  return user + system
}

async function usesNativeComparison() {
  comparisons = 0
  await outcomeOf(() => verify(`${body} `, headers))
  return comparisons > 0 ? 'right' : 'own loop'
}

const probes = {
  'a string': () => good(() => verify(body, headers)),
  'a Buffer': () => good(() => verify(Buffer.from(body), headers)),
  'a Uint8Array': () => good(() => verify(new TextEncoder().encode(body), headers)),
  'headers of fetch': () => ifIt(library.takesHeaders, () => good(() => verify(body, new Headers(headers)))),
  'a header given as a list': () => good(() => verify(body, changed([headers[signatureHeader]]))),
  'two signatures, the second is right': () =>
    ifIt(otherSignature, () => good(() => verify(body, sign(body, { before: [otherSignature] })))),
  'an old secret beside the new one': () =>
    ifIt(library.verifyWithSecrets, () =>
      good(() => library.verifyWithSecrets(body, headers, [`${secret.slice(0, -4)}AAAA`, secret])),
    ),
  'another body': () => bad(() => verify(`${body} `, headers)),
  'bytes that decode to the same text': () => bad(() => verify(tampered(), headers)),
  'no header': () => bad(() => verify(body, {})),
  'an empty signature': () => bad(() => verify(body, changed(''))),
  'a signature that is a word': () => bad(() => verify(body, changed('foo'))),
  'a signature cut in half': () => bad(() => verify(body, changed(headers[signatureHeader].slice(0, -20)))),
  'a signature with something after it': () => bad(() => verify(body, changed(`${headers[signatureHeader]}00`))),
  'ten minutes old': () => ifIt(timestamped, () => bad(() => withTimestamp(nowSeconds - 600))),
  'ten years ahead': () => ifIt(timestamped, () => bad(() => withTimestamp(nowSeconds + 315_360_000))),
  'a timestamp with letters after it': () => ifIt(timestamped, () => bad(() => verify(body, withLetters(sign(body))))),
  'signed with an empty secret, and none is set': () => loud(() => verify(body, sign(body, { secret: '' }), '')),
  'a byte order mark, signed': () => {
    const marked = Buffer.from(`\uFEFF${body}`)
    return outcomeOf(() => verify(marked, sign(marked))).then((outcome) =>
      outcome === 'accepted' || outcome === 'refused' ? 'right' : outcome,
    )
  },
  'signed, and no JSON': () => bad(() => verify('not JSON', sign('not JSON'))),
  'a body that was parsed before': () => loud(() => verify(JSON.parse(body), headers)),
  'compared by timingSafeEqual': usesNativeComparison,
  'time grows with a header of many signatures': () =>
    ifIt(otherSignature, () => {
      costOf(500)
      return costOf(4000) / Math.max(1, costOf(500)) < 24 ? 'right' : 'faster than its length'
    }),
}

const seen = {}
for (const [probe, run] of Object.entries(probes)) seen[probe] = await run()
process.stdout.write(JSON.stringify(seen))
