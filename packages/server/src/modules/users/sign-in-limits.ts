import type { App } from '../../context.ts'
import { siteKey } from '../../core/addresses.ts'
import { hashSecret } from '../../core/ids.ts'
import { type FailureLimit, hasFailed } from './failed-attempts.ts'
import * as queries from './queries.ts'

// Wrong passwords are counted per account and site together, so that attackers elsewhere cannot keep a person out,
// and no stranger can keep out everybody behind one address. Attackers with many sites slow an account down: their first
// attempts and their repeated ones are counted apart, so that the first attempt of another site still gets a turn. A
// site from which the person has a session is not slowed down.

/** Wrong passwords of one site for one account within 60 s. */
const maxPerSite = 10
/** Sites whose first attempt for an account fails within 60 s, and failures after their first. */
const maxPerAccount = 30

interface SignIn {
  readonly email: string
  readonly address: string
}

export async function signInLimits(app: App, { email, address }: SignIn): Promise<readonly FailureLimit[]> {
  // The table of windows contains no e-mail addresses.
  const account = hashSecret(email)
  const site = siteKey(address)
  const ofSite = { key: `sign-in:${account}:${site}`, max: maxPerSite }
  const known = await queries.listSessionAddresses(app.db, email)
  if (known.some((session) => siteKey(session.address) === site)) return [ofSite]
  const attempt = hasFailed(app, ofSite.key) ? 'repeated' : 'first'
  return [ofSite, { key: `sign-in:${account}:${attempt}`, max: maxPerAccount }]
}
