import { refuse } from './webhook-error.ts'

/** The commonest mistake of all, so it is told at once; waiting for a body that was read before would hang for ever. */
export const refuseConsumed = (): never =>
  refuse('body_consumed', 500, 'Something read the body before: put this handler before the body parser, or keep the raw body.')

export const refuseSlow = (): never => refuse('body_timeout', 408, 'The body did not arrive in time.')

export const refuseIncomplete = (): never => refuse('body_incomplete', 400, 'The connection ended before the body did.')
