import { createHmac } from 'node:crypto'

/** The results of `everywhere.js` in every runtime. */
export const commonResults = {
  statuses: [204, 204, 204, 401, 400],
  messages: ['Toner is here 🎉', 'Toner is here 🎉'],
  adapters: [204, 204, 204],
  adapterMessages: ['Toner is here 🎉', 'Toner is here 🎉', 'Toner is here 🎉'],
  verify: 'task.created',
  wrongSecret: 'no_match',
  together: Array.from({ length: 20 }, (_none, index) => (index % 2 === 0 ? 'task.created' : 'no_match')),
  late: [204, 'no disk'],
  secondSecret: 1,
  longKeyAndBody: createHmac('sha256', 'k'.repeat(100)).update('a'.repeat(200_000)).digest('hex'),
}

/** WebCrypto is only asynchronous. */
export const resultsWithNodeCrypto = { ...commonResults, verifySync: 'task.created' }
export const resultsWithWebCrypto = { ...commonResults, verifySync: 'TypeError' }
