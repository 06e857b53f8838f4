import { plainLabel } from './plain-label.ts'

/** What whoever gets in touch is called, in the largest languages: of an object, it holds a person; in a label, it says nothing more. */
const people = `
  lead contact customer person visitor client attendee invitee requester submitter respondent buyer applicant subscriber
  participant enquirer inquirer candidate guest donor patient student prospect purchaser shopper renter registrant booker
  traveler traveller passenger payer consumer
  cliente contacto contato interesado interesada interessado interessada comprador remitente remetente solicitante paciente
  prospecto huesped hospede visitante usuario acheteur demandeur expediteur visiteur candidat utilisateur
  kunde kunden kundin interessent interessentin absender kontakt kontaktperson teilnehmer bewerber gast mieter besteller
  mittente richiedente interessato contatto utente paziente ospite acquirente klant aanvrager afzender deelnemer huurder
  klient klienta nadawca zamawiajacy musteri pelanggan khachhang
  клиент клиента клієнт контакт заказчик заказчика замовник покупатель пользователь заявитель отправитель
  客户 客戶 联系人 聯絡人 お客様 顧客 申込者 고객 신청자 문의자 العميل
`

/** What a business and its staff are called. */
const businesses = `
  store shop restaurant hotel venue location branch office business company merchant vendor supplier dealer dealership agency
  clinic school property listing department team site account workspace employee employer manager broker realtor consultant
  advisor rep salesperson sales support doctor practitioner therapist instructor teacher trainer coach recruiter landlord
  technician driver operator admin bot event campaign project product pickup
  vendedor vendedora corretor corretora comercial commercial conseiller conseillere vendeur agence magasin tienda loja negozio
  agente agenzia consulente venditore makler maklerin mitarbeiter mitarbeiterin berater beraterin filiale betreuer medewerker
  verkoper makelaar opiekun doradca sprzedawca asesor asesora gestor temsilci менеджер сотрудник оператор продавец
  руководитель руководителя директор директора
`

/** Half a name in one word, which means nothing else. */
export const halfName =
  /^(?:[fl]name|(?:first|last|sur|given|family)name|voornaam|achternaam|vorname|nachname|prenom|apellidos?|cognome|sobrenome|fornamn|efternamn|fornavn|etternavn|efternavn|etunimi|sukunimi|imie|nazwisko|prijmeni|priezvisko|prenume|soyadi?)$/

/** Whom a company names; what is called `name` beside them is the company. */
const contactPersons = `
  contactname contactperson contactpersonname kontaktperson kontaktpersonen contactpersoon ansprechpartner ansprechpartnerin
  personadecontacto nombredecontacto nombredelcontacto pessoadecontato personnedecontact personneacontacter nomducontact
  personadicontatto persoanadecontact yhteyshenkilö kapcsolattartó kapcsolattartóneve osobakontaktowa osobadokontaktu
  kontaktníosoba kontaktnáosoba kontaktnaosoba контактноелицо контактнаяособа контактнаособа yetkilikişi irtibatkişisi
  nguoilienhe narahubung 联系人 联系人姓名 聯絡人 聯絡人姓名 聯繫人 担当者 ご担当者 担当者名 ご担当者名 담당자 담당자명
`

const setOf = (words: string): ReadonlySet<string> => new Set(words.trim().split(/\s+/).map(plainLabel))

let peopleWords: ReadonlySet<string> | undefined
let contactWords: ReadonlySet<string> | undefined
let businessWords: ReadonlySet<string> | undefined

/** The same of a word that is plain already. */
export function isPlainPersonWord(word: string): boolean {
  peopleWords ??= setOf(people)
  return peopleWords.has(word)
}

export const isPersonWord = (key: string): boolean => isPlainPersonWord(plainLabel(key))

export function isContactPerson(label: string): boolean {
  contactWords ??= setOf(contactPersons)
  return contactWords.has(plainLabel(label))
}

export function isBusinessWord(word: string): boolean {
  businessWords ??= setOf(businesses)
  return businessWords.has(word)
}
