import { unlabelledCaller, withoutOurs } from './call-parties.ts'
import { looksLikePhone, phoneKey } from './contact-key.ts'
import { contactObjects } from './contact-object.ts'
import { isWrapper, mentionsBusiness, mentionsOtherParty } from './containers.ts'
import { type FormField, shownName } from './labelled-field.ts'
import { plainKey, wordsOf } from './labels/plain-label.ts'
import { mentionsPhone, roleOf } from './labels/role-of.ts'
import { isPersonWord } from './labels/words.ts'
import { accept, addressIn, type MatchedRoles, nameIn, restOf } from './role-matches.ts'

// What nothing names: an address under a question, a number under the name of a machine, a name beside an address.

/** "How can we reach you?" may be answered with an address, and "3" is what Gravity Forms calls a field. */
const isUnlabelledEmail = ({ labels, value, isOthers }: FormField) =>
  !isOthers && value.includes('@') && addressIn(value) !== null && !labels.some(mentionsOtherParty)

const isCalledEmail = ({ place }: FormField) => roleOf(place?.key ?? '') === 'email'

const copiedTo = /^(?:to|cc|bcc)$/i

/** "Ann Lee, ann@example.com, London": the only way to reach somebody may stand among other things. */
const amongOthers = ({ labels, value, isOthers }: FormField) =>
  !isOthers &&
  value.includes('@') &&
  accept.email(value) !== null &&
  !labels.some((label) => mentionsOtherParty(label) || copiedTo.test(label))
const isUnlabelledPhone = ({ labels, value, isOthers }: FormField) =>
  !isOthers &&
  phoneKey(value) !== null &&
  (labels.some(mentionsPhone) || (labels.every(isOpaque) && looksLikePhone(value))) &&
  !labels.some(mentionsOtherParty)

/** A number with a plus is a telephone's under any name but those of other machines and people. */
const international = /^\+[1-9][\d\s().-]{7,20}$/
const anothersNumber = /fax|sender|business|display|from|office|support|utc|gmt|offset|zone|^did$/i
const isUnlabelledInternational = ({ labels, value, isOthers }: FormField) =>
  !isOthers &&
  international.test(value.trim()) &&
  phoneKey(value) !== null &&
  !labels.some((label) => anothersNumber.test(label) || mentionsOtherParty(label))

/** `field_3`, `input_1_6`, `r4b2e0c1d2f3a`: names that say nothing. */
const isOpaque = (label: string) =>
  !/\p{L}{2}/u.test(
    label.replace(/^(?:form-field-\w{6}$|field|input|question|q|no label field)/i, '').replace(/[\da-f-]{8,64}/gi, ''),
  )

/** The first, but rather a person's than a shop's. */
const likeliest = (fields: readonly FormField[]): FormField | undefined =>
  fields.find(({ labels }) => !labels.some(mentionsBusiness)) ?? fields[0]

export type Unlabelled = { readonly email: FormField | undefined; readonly phone: FormField | undefined }

export const unlabelledIn = (matched: MatchedRoles): Unlabelled => {
  const { found } = matched
  const rest = restOf(matched)
  const phone = found.has('phone')
    ? undefined
    : (likeliest(rest.filter(isUnlabelledPhone)) ??
      unlabelledCaller(matched.fields) ??
      likeliest(withoutOurs(rest).filter(isUnlabelledInternational)))
  const emails = found.has('email') ? [] : withoutOurs(rest).filter(isUnlabelledEmail)
  const email = likeliest(emails.filter(isCalledEmail)) ?? likeliest(emails)
  const isReached = found.has('email') || found.has('phone') || email !== undefined || phone !== undefined
  return { email: isReached ? email : likeliest(withoutOurs(matched.fields).filter(amongOthers)), phone }
}

const personsName =
  /^(?:(?:user|billing|signed|signer|participant|guest|member|reviewer)[ _-]?name|customer|client|guest|visitor|attendee|sender|caller|author|reviewer|buyer|donor|patient|applicant|candidate|student|subscriber|requester|person|contacts?)$/i
const severalWords = /\p{L}\s+\p{L}/u
/** What somebody calls themselves, where nothing else names them. */
const chosenName = /^(?:nick|preferred|chosen|screen|short)[ _-]?name$/i

const contactOf = ({ found }: MatchedRoles, { email, phone }: Unlabelled): FormField | undefined =>
  found.get('email')?.field ?? email ?? found.get('phone')?.field ?? phone

/** `caller_name` says whose name it is, wherever it stands, and so does monday’s `pulseName`. */
const isOfPerson = (key: string): boolean => {
  const [whose, what, ...more] = wordsOf(key)
  return (
    whose !== undefined &&
    what === 'name' &&
    more.length === 0 &&
    (/^(?:caller|pulse)$/.test(whose) || isPersonWord(whose))
  )
}

const isNamed = ({ found }: MatchedRoles) => found.has('name') || found.has('first') || found.has('last')

/** Where something is brought or billed to, somebody lives. */
const isAddressee = ({ place, isOthers }: FormField) =>
  !isOthers && /address(?:es\.\d+)?$/i.test(place?.owner ?? '') && roleOf(place?.key ?? '') === 'name'

const shortestBeginning = 3

/** `Ann` begins `ann03@example.com`. */
const beginsAddress = (word: string, { value }: FormField) =>
  /^\p{L}+$/u.test(word) && word.length >= shortestBeginning && value.toLowerCase().startsWith(word.toLowerCase())

const isNameless = ({ labels, isOthers }: FormField) => !isOthers && labels.every(isOpaque)

/** Contact Form 7 calls a line of text `text-101`, Fluent Forms `input_text_1`. */
const lineOfText = /^(?:text|input[-_]text|single[-_]?line)[-_]?\d{0,4}$/i
const isLineOfText = ({ labels, isOthers }: FormField) =>
  !isOthers && labels.length > 0 && labels.every((label) => lineOfText.test(label))

/** Where no field has a name that says anything, people are asked for their name first. */
const firstOfNameless = (fields: readonly FormField[], contact: FormField | undefined): FormField | undefined => {
  if (contact === undefined) return undefined
  const first = fields.find(isNameless(contact) ? isNameless : isLineOfText)
  const name = first?.value.trim() ?? ''
  return shownName.test(name) || beginsAddress(name, contact) ? first : undefined
}

/** What somebody calls themselves beside their address, and several words where a login or a person may stand. */
export const unlabelledName = (matched: MatchedRoles, unlabelled: Unlabelled): FormField | undefined => {
  if (isNamed(matched)) return undefined
  const contact = contactOf(matched, unlabelled)
  const homes = contactObjects(contact, matched.fields)
  const isTheirs = ({ place, value, isOthers }: FormField) => {
    if (isOthers || place === undefined || nameIn(value) === null) return false
    return (
      ((homes.includes(place.owner) || isWrapper(place.owner.slice(place.owner.lastIndexOf('.') + 1))) &&
        chosenName.test(place.key)) ||
      isOfPerson(place.key) ||
      (personsName.test(place.key) && severalWords.test(value))
    )
  }
  const rest = restOf(matched)
  return rest.find(isTheirs) ?? rest.find(isAddressee) ?? firstOfNameless(matched.fields, contact)
}

/** A description may be an article's and a text a machine's; these are what somebody writes. */
const ofThings =
  /^(?:description|details|text|content|body|question|questions|request|requirements?|testimonial|query)$/
const ofMachines =
  /^(?:error|errors|status|result|response|reply|output|assistant|agent|bot|form|page|campaign|service|plan|payment|items?|products?|event|assistantmessage)$/
const shortestMessage = 3

/** What somebody said in an object of another name than theirs: the note of an order, the comments of a booking. */
export const unlabelledMessage = ({ fields, found }: MatchedRoles): FormField | undefined =>
  found.has('message')
    ? undefined
    : fields.find(({ place, value, isOthers }) => {
        if (place === undefined || isOthers || roleOf(place.key) !== 'message') return false
        const above = place.owner.slice(place.owner.lastIndexOf('.') + 1)
        const isOthersWord = ofMachines.test(plainKey(above)) || mentionsBusiness(above) || mentionsOtherParty(above)
        const isWritten = /\p{L}/u.test(value) && value.trim().length >= shortestMessage
        return isWritten && !ofThings.test(plainKey(place.key)) && !isOthersWord && !/^\d+$/.test(above)
      })
