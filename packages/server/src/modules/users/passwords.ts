import { unavailable } from '../../core/errors.ts'
import { semaphore } from '../../store/semaphore.ts'

/** What OWASP names as the least for Argon2id. Each hash takes 19 MiB for that time, so only two run at once. */
const parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
const places = semaphore(2)
const mostWaiting = 50

/** Of no password; verifying against it takes as long as against a person's own. */
const hashOfNobody = '$argon2id$v=19$m=19456,t=2,p=1$cJ1b6EOkk/RabpAt9RchVA$0Uc/92JElwUhxA0b5Gh2Vwdp4Dy5iJZ32FEgld+AWpY'

/** A native library, and most servers in tests never sign anybody in. */
const library = () => import('@node-rs/argon2')

/** The password as a PHC string. */
export const hashPassword = (password: string): Promise<string> =>
  inTurn(async () => (await library()).hash(password, parameters))

/** Takes the same time for a person who does not exist or has no password. */
export async function isPassword(password: string, stored: string | null | undefined): Promise<boolean> {
  const matches = await inTurn(async () => (await library()).verify(stored ?? hashOfNobody, password))
  return matches && stored !== null && stored !== undefined
}

async function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
  if (places.waiting >= mostWaiting) throw unavailable('Too many people sign in at this moment. Try again soon.')
  const leave = await places.enter()
  try {
    return await work()
  } finally {
    leave()
  }
}
