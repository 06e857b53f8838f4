import { unlabeledCaller, withoutBusiness } from './call-parties.ts'
import { looksLikePhone, phoneKey } from './contact-key.ts'
import { contactObjects } from './contact-object.ts'
import { isWrapper, mentionsBusiness, mentionsOtherParty } from './containers.ts'
import { type FormField, shownName } from './labeled-field.ts'
import { plainKey, wordsOf } from './labels/plain-label.ts'
import { mentionsPhone, roleOf } from './labels/role-of.ts'
import { isPersonWord } from './labels/words.ts'
import { accept, addressIn, getUnusedFields, type MatchedRoles, nameIn } from './role-matches.ts'

// Values without a clear label: an address under a question, a number under a generated name, a name by an address.

const keyOf = ({ location }: FormField) => location?.key ?? ''
const lastStep = ({ location }: FormField) => location?.owner.slice(location.owner.lastIndexOf('.') + 1) ?? ''

const mayBeTheirs = ({ labels, isOtherParty }: FormField) => !isOtherParty && !labels.some(mentionsOtherParty)

/** "How can we reach you?" may be answered with an address. */
const isEmail = ({ value }: FormField) => value.includes('@') && addressIn(value) !== null

/** "Ann Lee, ann@example.com, London": the only address may be part of longer text. */
const holdsEmail = ({ labels, value }: FormField) =>
  value.includes('@') && accept.email(value) !== null && !labels.some((label) => /^(?:to|cc|bcc)$/i.test(label))

/** `field_3`, `input_1_6`, `r4b2e0c1d2f3a`: generated names. */
const isOpaque = (label: string) =>
  !/\p{L}{2}/u.test(
    label.replace(/^(?:form-field-\w{6}$|field|input|question|q|no label field)/i, '').replace(/[\da-f-]{8,64}/gi, ''),
  )

const isPhone = ({ labels, value }: FormField) =>
  phoneKey(value) !== null && (labels.some(mentionsPhone) || (labels.every(isOpaque) && looksLikePhone(value)))

/** A number with a plus is a phone number under any name, except names of other people and machines. */
const international = /^\+[1-9][\d\s().-]{7,20}$/
const anothersNumber = /fax|sender|business|display|from|office|support|utc|gmt|offset|zone|^did$/i
const isInternational = ({ labels, value }: FormField) =>
  international.test(value.trim()) && phoneKey(value) !== null && !labels.some((label) => anothersNumber.test(label))

/** The first field that does not mention a business, or else the first one. */
const likeliest = (fields: readonly FormField[]): FormField | undefined =>
  fields.find(({ labels }) => !labels.some(mentionsBusiness)) ?? fields[0]

export type UnlabeledContact = { readonly email: FormField | undefined; readonly phone: FormField | undefined }

export const unlabeledContact = (matched: MatchedRoles): UnlabeledContact => {
  const { found, fields } = matched
  const rest = getUnusedFields(matched).filter(mayBeTheirs)
  const phone = found.has('phone')
    ? undefined
    : (likeliest(rest.filter(isPhone)) ??
      unlabeledCaller(fields) ??
      likeliest(withoutBusiness(rest).filter(isInternational)))
  const emails = found.has('email') ? [] : withoutBusiness(rest).filter(isEmail)
  const email = likeliest(emails.filter((field) => roleOf(keyOf(field)) === 'email')) ?? likeliest(emails)
  const isReached = found.has('email') || found.has('phone') || email !== undefined || phone !== undefined
  const isAmong = (field: FormField) => mayBeTheirs(field) && holdsEmail(field)
  return { email: isReached ? email : likeliest(withoutBusiness(fields).filter(isAmong)), phone }
}

const personsName =
  /^(?:(?:user|billing|signed|signer|participant|guest|member|reviewer)[ _-]?name|customer|client|guest|visitor|attendee|sender|caller|author|reviewer|buyer|donor|patient|applicant|candidate|student|subscriber|requester|person|contacts?)$/i
/** Names that people give themselves, used if no other field has a name. */
const chosenName = /^(?:nick|preferred|chosen|screen|short)[ _-]?name$/i

/** `caller_name` names the person in any object, and so does monday's `pulseName`. */
const isOfPerson = (key: string): boolean => {
  const [whose = '', what, ...more] = wordsOf(key)
  return what === 'name' && more.length === 0 && (/^(?:caller|pulse)$/.test(whose) || isPersonWord(whose))
}

/** The name in an address to deliver or to bill to. */
const isAddressee = (field: FormField) =>
  /address(?:es\.\d+)?$/i.test(field.location?.owner ?? '') && roleOf(keyOf(field)) === 'name'

/** Contact Form 7 calls a line of text `text-101`, Fluent Forms `input_text_1`. Without a number, `text` is a message. */
const lineOfText = /^(?:text[-_]?\d{1,4}|(?:input[-_]text|single[-_]?line)[-_]?\d{0,4})$/i

/** With generated names, the first field is usually the person's name: `Ann Lee`, or `Ann` with `ann03@example.com`. */
const firstOfNameless = (fields: readonly FormField[], { labels, value }: FormField): FormField | undefined => {
  const isNameless = labels.every(isOpaque) ? isOpaque : (label: string) => lineOfText.test(label)
  const first = fields.find((field) => !field.isOtherParty && field.labels.length > 0 && field.labels.every(isNameless))
  const name = first?.value.trim() ?? ''
  const beginsAddress = /^\p{L}{3,}$/u.test(name) && value.toLowerCase().startsWith(name.toLowerCase())
  return shownName.test(name) || beginsAddress ? first : undefined
}

/** The name of a person who is reached at this address or number, if no label names them. */
export const unlabeledName = (matched: MatchedRoles, contact: FormField | undefined): FormField | undefined => {
  const { found, fields } = matched
  if (found.has('name') || found.has('first') || found.has('last')) return undefined
  const homes = contact === undefined ? [] : contactObjects(contact, fields)
  const isTheirs = (field: FormField) =>
    field.location !== undefined &&
    nameIn(field.value) !== null &&
    ((chosenName.test(field.location.key) && (homes.includes(field.location.owner) || isWrapper(lastStep(field)))) ||
      isOfPerson(field.location.key) ||
      (personsName.test(field.location.key) && /\p{L}\s+\p{L}/u.test(field.value)))
  const rest = getUnusedFields(matched).filter(({ isOtherParty }) => !isOtherParty)
  const named = rest.find(isTheirs) ?? rest.find(isAddressee)
  return named ?? (contact === undefined ? undefined : firstOfNameless(fields, contact))
}

/** These keys may also belong to a product or a machine. All other message labels belong to text that people write. */
const ofThings =
  /^(?:description|details|text|content|body|question|questions|request|requirements?|testimonial|query)$/
const ofMachines =
  /^(?:error|errors|status|result|response|reply|output|assistant|agent|bot|form|page|campaign|service|plan|payment|items?|products?|event|assistantmessage|bounce|delivery)$/

/** A message in another object, such as the note of an order or the comments of a booking. */
export const unlabeledMessage = ({ fields, found }: MatchedRoles): FormField | undefined =>
  fields.find((field) => {
    if (found.has('message') || field.isOtherParty || roleOf(keyOf(field)) !== 'message') return false
    const above = lastStep(field)
    const isOthersText = ofMachines.test(plainKey(above)) || mentionsBusiness(above) || mentionsOtherParty(above)
    const isWritten = /\p{L}/u.test(field.value) && field.value.trim().length > 2
    return isWritten && !ofThings.test(plainKey(keyOf(field))) && !isOthersText && !/^\d+$/.test(above)
  })
