const secretWords =
  'passw passphrase pwd secret token apikey authoriz cookie credential privatekey accesskey accountkey encryptionkey signingkey appkey licensekey googlekey sessionid sessid creditcard cardnumber ccnumber securitycode connectionstring databaseurl redisurl socialsecurity'.split(
    ' ',
  )
const wordsByLetter = new Map<number, readonly string[]>()
for (const word of secretWords)
  wordsByLetter.set(word.charCodeAt(0), [...(wordsByLetter.get(word.charCodeAt(0)) ?? []), word])
const secretNames = new Set(
  'auth xauth pass pin cvv cvc cvv2 ssn jwt bearer otp sid session dsn pan iban pgpassword xcsrf csrf xsrf'.split(' '),
)
/** What may follow `token` in the name of something else, such as `token_count`. */
const afterToken = /^(?:s$|count|type|iz)/

const isPlain = (code: number): boolean => (code >= 97 && code <= 122) || (code >= 48 && code <= 57)

const toPlainKey = (key: string): string => {
  const lower = key.toLowerCase()
  let [plain, start] = ['', 0]
  for (let index = 0; index < lower.length; index += 1) {
    if (isPlain(lower.charCodeAt(index))) continue
    plain += lower.slice(start, index)
    start = index + 1
  }
  return plain + lower.slice(start)
}

const hasSecretAt = (plain: string, index: number): boolean =>
  wordsByLetter
    .get(plain.charCodeAt(index))
    ?.some(
      (word) => plain.startsWith(word, index) && (word !== 'token' || !afterToken.test(plain.slice(index + 5))),
    ) === true

/** Without an expression for most names, because every name in a body is tested. */
const isSecretName = (key: string): boolean => {
  const plain = toPlainKey(key)
  if (secretNames.has(plain)) return true
  for (let index = 0; index < plain.length; index += 1) if (hasSecretAt(plain, index)) return true
  return false
}

/** Cached, because reports share the same few names. */
const cache = new Map<string, boolean>()
const maxCacheEntries = 1_000

/** Whether a value under this key is a secret, however the key is spelled (`API-Key`, `api_key`, `apiKey`). */
export const isSecretKey = (key: string): boolean => {
  if (key.length > 100) return false
  const known = cache.get(key)
  if (known !== undefined) return known
  const isSecret = isSecretName(key)
  if (cache.size >= maxCacheEntries) cache.clear()
  cache.set(key, isSecret)
  return isSecret
}
