import { requiredText } from '@service/contract'
import * as z from 'zod/mini'

// Default texts. Tests that depend on a text should set it.

const people = [
  'Amara Okafor',
  'Bruno Silva',
  'Chen Wei',
  'Dana Kim',
  'Elif Demir',
  'Farid Haddad',
  'Greta Lind',
  'Hugo Marin',
]
const tickets = [
  'The printer is on fire',
  'Checkout fails for guests',
  'Search finds nothing',
  'The export is empty',
  'Login takes a minute',
]
const tasks = ['Reproduce it', 'Write the test', 'Call the customer', 'Update the handbook', 'Order a new cable']
const projects = ['New website', 'Office move', 'Mobile app', 'Spring campaign']
const companies = ['Northwind Traders', 'Blue Harbour', 'Cedar & Sons', 'Delta Foods']
const deals = ['Yearly support', 'Pilot', 'Renewal', 'Extension']

const nth = (words: readonly string[]) => (n: number) => words[(n - 1) % words.length] ?? ''

/** The n-th of each list, cyclically. The same in every run. */
export const sample = {
  person: nth(people),
  ticket: nth(tickets),
  task: nth(tasks),
  project: nth(projects),
  company: nth(companies),
  deal: nth(deals),
  /** Unique for every n. */
  email: (n: number) => `${nth(people)(n).toLowerCase().replaceAll(' ', '.')}.${n}@example.test`,
}

const longest = 255

/** A fixed secret; random by default. */
export const pinnedSecret = z.optional(requiredText(longest))
