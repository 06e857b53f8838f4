import { unavailable } from '../../core/errors.ts'
import { semaphore } from '../../store/semaphore.ts'

/** OWASP's minimum parameters for Argon2id. A running hash uses 19 MiB, so only two run at once. */
const parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
const places = semaphore(2)
/** Queue limits. The last 40 places are reserved for sign-ins. */
const maxWaiting = { sign_in: 50, change: 10 }
type Purpose = keyof typeof maxWaiting

/** The hash of a random password; verifying against it takes the same time as for a real one. */
const hashOfNobody = '$argon2id$v=19$m=19456,t=2,p=1$cJ1b6EOkk/RabpAt9RchVA$0Uc/92JElwUhxA0b5Gh2Vwdp4Dy5iJZ32FEgld+AWpY'

/** Loaded on demand: it is a native library, and most test servers never sign anyone in. */
const library = () => import('@node-rs/argon2')

/** Hashes a password to a PHC string. */
export const hashPassword = (password: string): Promise<string> =>
  inTurn('change', async () => (await library()).hash(password, parameters))

/** Takes the same time if the person does not exist or has no password. */
export async function isPassword(
  password: string,
  { stored, purpose }: { readonly stored: string | null | undefined; readonly purpose: Purpose },
): Promise<boolean> {
  const matches = await inTurn(purpose, async () => (await library()).verify(stored ?? hashOfNobody, password))
  return matches && stored !== null && stored !== undefined
}

async function inTurn<Result>(purpose: Purpose, work: () => Promise<Result>): Promise<Result> {
  if (places.waiting >= maxWaiting[purpose]) throw unavailable('Too many passwords are being checked. Try again soon.')
  const leave = await places.enter()
  try {
    return await work()
  } finally {
    leave()
  }
}
