import { knownLanguages } from '@service/intake/leads/labels/roles'
import { knownEvents, knownSenders } from '@service/intake/leads/not-leads'
import { formSenders } from '@service/intake/leads/platforms/form'
import { leadReaders } from '@service/intake/leads/platforms/index'
import { markdownTable } from './markdown-table.ts'

const code = (text: string) => `\`${text}\``

const exact = leadReaders.filter(({ isGuess }) => isGuess !== true)

const platformsTable = () =>
  markdownTable(
    ['platform', 'recognized by', 'read'],
    exact.map(({ name, recognizedBy, about }) => [name, recognizedBy.map(code).join('; '), about]),
  )

/** For each reason, the known senders and event names, in the order of the table. */
function reasonsTable(): string {
  const reasons = [...new Set([...knownSenders, ...knownEvents].map(({ reason }) => reason))]
  const namesOf = (list: readonly { reason: string; name: string }[], reason: string) =>
    [...new Set(list.filter((entry) => entry.reason === reason).map(({ name }) => name))].join(', ')
  return markdownTable(
    ['reason', 'events of these senders: exact', 'events with names such as these: a guess'],
    reasons.map((reason) => [`\`${reason}\``, namesOf(knownSenders, reason), namesOf(knownEvents, reason)]),
  )
}

const languages = Object.keys(knownLanguages).join(', ')

/** What captured leads are read from, and what is skipped. */
export const leadSection = (): string =>
  [
    '**Exact:** these platforms are recognized by their own keys, and the fields of the person are known.',
    platformsTable(),
    `**A guess:** every other body is read as a form, each field by its label. The tests have bodies of ${formSenders.join(', ')}.`,
    `Labels are known in these languages: ${languages}.`,
    '**Not leads:** these events are skipped with a reason.',
    reasonsTable(),
  ].join('\n\n')
