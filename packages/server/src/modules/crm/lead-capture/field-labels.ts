export type FieldRole = 'name' | 'first' | 'last' | 'email' | 'phone' | 'company' | 'message'

/**
 * What people call the fields of their forms, written without case, spaces and punctuation. Form builders, ad platforms
 * and hand-written forms all differ; a few European languages are here because their labels are sent as they are.
 */
const spellings: Readonly<Record<FieldRole, string>> = {
  name: 'name fullname displayname leadname namefull completename personname nom nomcomplet nombre nombrecompleto nome',
  first: 'firstname fname givenname namefirst forename vorname prenom primernombre',
  last: 'lastname lname surname familyname namelast secondname nachname familienname nomdefamille apellido apellidos cognome',
  email:
    'email emails emailaddress mail emailid workemail useremail businessemail companyemail personalemail contactemail ' +
    'correo correoelectronico adressemail adresseemail mailadresse emailadresse',
  phone:
    'phone phones phonenumber phonenumbers tel telephone telephonenumber mobile mobilephone mobilenumber mobileno phoneno cell ' +
    'cellphone cellphonenumber workphone workphonenumber userphone contactnumber contactno whatsapp whatsappnumber telefon ' +
    'telefonnummer handy telefono movil celular numerodetelephone',
  company:
    'company companyname organization organizationname organisation organisationname business businessname accountname ' +
    'employer firma unternehmen firmenname entreprise societe empresa azienda',
  message:
    'message messages msg comment comments enquiry inquiry question questions note notes details description body text ' +
    'messagetext howcanwehelp howcanwehelpyou nachricht kommentar commentaire mensaje comentarios messaggio',
}

const roles = new Map<string, FieldRole>(
  // `Object.entries` forgets which keys there are; they are the keys of `spellings`.
  (Object.entries(spellings) as [FieldRole, string][]).flatMap(([role, words]) =>
    words.split(/\s+/).map((word) => [word, role] as const),
  ),
)

/** "E-Mail Address *" → `emailaddress`; "Prénom" → `prenom`. */
export const plainLabel = (label: string): string =>
  label
    .slice(0, 255)
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '')

// Not `user`: a user name is an account, not a person's name.
const possessives = /^(?:your|my|contact|customer|client|lead|visitor|sender|from|input|field)(?=.)/

export const roleOf = (label: string): FieldRole | null => {
  const plain = plainLabel(label)
  return roles.get(plain) ?? roles.get(plain.replace(possessives, '')) ?? null
}

const plumbing =
  /^(?:_|utf8$|(?:is_?)?test$|action$|source$|lead_?source$|secret$|google_?key$|api_?(?:key|version)$|user_?agent$|remote_?ip$|ip(?:_?address)?$)|token|captcha|csrf|nonce|honeypot|password|submit/i

/** What a form carries for machines: it says nothing about the person, and some of it is secret. */
export const isPlumbing = (label: string): boolean => plumbing.test(label.trim().replaceAll(/[\s-]+/g, '_'))
