import { identifierAt, type JsonRecord, recordAt } from '../../sanitise/json-path.ts'
import { type LeadPlatform, leadFrom } from './platform.ts'

const numbered = /^(\d+)\.(\d+)$/
/** As the form itself is posted. */
const posted = /^input_(\d+)_(\d+)$/

/** A name has the inputs .2 (prefix), .3, .4, .6 and .8 (suffix); an address has .1 and others of these numbers. */
const nameLabels: Readonly<Record<string, string>> = { '3': 'first name', '6': 'last name' }

const labelOf = (key: string, body: JsonRecord): string => {
  const [, field = '', input = ''] = numbered.exec(key) ?? posted.exec(key) ?? []
  const isAddress = Object.hasOwn(body, `${field}.1`) || Object.hasOwn(body, `input_${field}_1`)
  return (isAddress ? undefined : nameLabels[input]) ?? key.replace('.', ' ')
}

/** Both halves of a name under the number of one field. */
const isPostedName = (body: JsonRecord) => (key: string) =>
  posted.exec(key)?.[2] === '3' && Object.hasOwn(body, key.replace(/3$/, '6'))

const ownKeys =
  /^(?:post_id|is_starred|is_read|is_fulfilled|status|currency|created_by|source_id|source_url|payment_.*|transaction_.*|id|form_id|date_.*)$/

const namedBody = (body: JsonRecord): JsonRecord =>
  Object.fromEntries(
    Object.entries(body)
      .slice(0, 500)
      .filter(([key]) => !ownKeys.test(key))
      .map(([key, value]) => [labelOf(key, body), value]),
  )

/** "All fields" sends the entry as it is stored: fields are called by their numbers. */
export const gravityForms: LeadPlatform = {
  name: 'gravity_forms',
  notes: {
    title: 'Gravity Forms, all fields',
    recognisedBy:
      '`form_id`, `source_url` or `date_created`, and fields called by numbers, also under `entry`; the halves of a name, `input_1_3` and `input_1_6`',
    read: 'names by their inputs (`1.3`, `1.6`), e-mail and telephone by their values, everything else as answers. Selected fields are read by their names',
  },
  recognises: ({ body }) => {
    const entry = recordAt(body, 'entry')
    if (Object.keys(body).some(isPostedName(body))) return true
    if (identifierAt(body, 'form_id') === null) return false
    if (entry !== null) return Object.keys(entry).some((key) => numbered.test(key))
    return (
      identifierAt(body, 'source_url', 'date_created') !== null &&
      Object.keys(body).some((key) => /^\d+(?:\.\d+)?$/.test(key))
    )
  },
  read: (body) => leadFrom(namedBody(recordAt(body, 'entry') ?? body), { id: identifierAt(body, 'id', 'entry.id') }),
}
