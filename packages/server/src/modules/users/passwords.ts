import { unavailable } from '../../core/errors.ts'
import { fairQueue } from '../../core/fair-queue.ts'

/** OWASP's minimum parameters for Argon2id. A running hash uses 19 MiB, so only two run at once. */
const parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
const queue = fairQueue({
  slots: 2,
  // With the running ones, half of the requests that a process handles at once.
  maxWaiting: 30,
  refusal: () => unavailable('Too many passwords are being checked. Try again soon.'),
})

/** The hash of a random password; verifying against it takes the same time as for a real one. */
const hashOfNobody = '$argon2id$v=19$m=19456,t=2,p=1$cJ1b6EOkk/RabpAt9RchVA$0Uc/92JElwUhxA0b5Gh2Vwdp4Dy5iJZ32FEgld+AWpY'

/** Loaded on demand: it is a native library, and most test servers never sign anyone in. */
const library = () => import('@node-rs/argon2')

/** Whose turn it is: a person, or a site from which someone signs in. */
interface Turn {
  readonly caller: string
}

/** Hashes a password to a PHC string. */
export const hashPassword = (password: string, { caller }: Turn): Promise<string> =>
  queue.run(caller, async () => (await library()).hash(password, parameters))

/** Takes the same time if the person does not exist or has no password. */
export async function isPassword(
  password: string,
  { stored, caller }: Turn & { readonly stored: string | null | undefined },
): Promise<boolean> {
  const matches = await queue.run(caller, async () => (await library()).verify(stored ?? hashOfNobody, password))
  return matches && stored !== null && stored !== undefined
}
