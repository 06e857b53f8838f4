import { unavailable } from '../../core/errors.ts'
import { semaphore } from '../../store/semaphore.ts'

/** What OWASP names as the least for Argon2id. Each hash takes 19 MiB for that time, so only two run at once. */
const parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
const places = semaphore(2)
/** How many may wait before a request is refused. The last 40 places are reserved for people who sign in. */
const mostWaiting = { sign_in: 50, change: 10 }
type Purpose = keyof typeof mostWaiting

/** Of no password; verifying against it takes as long as against a person's own. */
const hashOfNobody = '$argon2id$v=19$m=19456,t=2,p=1$cJ1b6EOkk/RabpAt9RchVA$0Uc/92JElwUhxA0b5Gh2Vwdp4Dy5iJZ32FEgld+AWpY'

/** A native library, and most servers in tests never sign anybody in. */
const library = () => import('@node-rs/argon2')

/** The password as a PHC string. */
export const hashPassword = (password: string): Promise<string> =>
  inTurn('change', async () => (await library()).hash(password, parameters))

/** Takes the same time for a person who does not exist or has no password. */
export async function isPassword(
  password: string,
  { stored, purpose }: { readonly stored: string | null | undefined; readonly purpose: Purpose },
): Promise<boolean> {
  const matches = await inTurn(purpose, async () => (await library()).verify(stored ?? hashOfNobody, password))
  return matches && stored !== null && stored !== undefined
}

async function inTurn<Result>(purpose: Purpose, work: () => Promise<Result>): Promise<Result> {
  if (places.waiting >= mostWaiting[purpose]) throw unavailable('Too many passwords are being checked. Try again soon.')
  const leave = await places.enter()
  try {
    return await work()
  } finally {
    leave()
  }
}
