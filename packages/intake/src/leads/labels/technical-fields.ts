import { plainKey } from './plain-label.ts'

const setOf = (names: string) => new Set(names.split(/\s+/))

const names = setOf(
  'utf8 test istest action source leadsource secret googlekey handshakekey apikey apiversion useragent remoteip ip ipaddress ' +
    'cookies slug poweredby submit submitsource submitbutton timestamp eventtype triggertype triggerevent',
)

/** Ids and times of the delivery; what they name is a form, a page, an account. */
const bookkeeping =
  /^(?:form|page|site|event|workspace|account|list|post|element|formelement|portal|widget|template|organi[sz]ation)(?:id|uuid|key)$|^(?:created|updated|submitted|landed|received|fired|date|entry)(?:at|on|time|date|created|updated|submitted)$/

const secret = /token|captcha|csrf|nonce|honeypot|password/

/** What a form carries for machines: it says nothing about the person, and some of it is secret. */
export const isTechnicalField = (label: string): boolean => {
  if (label.startsWith('_')) return true
  const plain = plainKey(label)
  return names.has(plain) || secret.test(plain) || bookkeeping.test(plain)
}
