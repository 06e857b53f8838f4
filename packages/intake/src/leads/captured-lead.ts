/** An answer beyond the contact fields: a custom question, the source ad, a job title. */
export type LeadAnswer = { readonly question: string; readonly answer: string }

/** A person who made contact. All text is plain and must be escaped for display. */
export type CapturedLead = {
  readonly name: string | null
  readonly email: string | null
  readonly phone: string | null
  readonly company: string | null
  readonly message: string | null
  readonly answers: readonly LeadAnswer[]
  /** The chat address of a person with a hidden number. Since 2026, WhatsApp may send a user id without a phone number. */
  readonly handle: string | null
  /** The sender's id of this inquiry, the same on every retry. */
  readonly externalId: string | null
  /** What `externalId` is unique within: the reader and the form, page, or account. Null without an id. */
  readonly scope: string | null
  readonly source: string
}

export const ignoredReasons = {
  test_lead: 'The lead is marked as a test.',
  details_not_included: 'The notification names a lead without its details; they must be fetched from the platform.',
  status_update: 'The delivery reports the status of a message: delivered, read, opened, clicked.',
  bounced: 'A message to the person could not be delivered.',
  unsubscribed: 'The person unsubscribed or complained about a message.',
  echo: 'The message was sent by the business itself.',
  outbound_call: 'The business called the person.',
  chat_ended: 'A chat or a conversation was closed, assigned, or rated.',
  honeypot: 'A hidden field that only bots fill in has a value.',
  spam: 'The sender marked the submission as spam.',
  withdrawn: 'The person withdrew the data.',
  cancelled: 'The appointment was cancelled.',
  message_deleted: 'The person deleted the message.',
  not_a_message: 'A reaction, an edit, or another event of a chat without a new message.',
  not_a_lead: 'The delivery carries no lead.',
  ignored_by_mapping: 'The mapping of the lead source ignores it.',
} as const

export type IgnoredReason = keyof typeof ignoredReasons

export type IgnoredLead = { readonly reason: IgnoredReason; readonly externalId: string | null }

/** Message and answers as one text for the notes of a lead, so that no answer is lost. */
export const leadNotes = ({ message, answers }: Pick<CapturedLead, 'message' | 'answers'>): string | null => {
  const lines = answers.map(({ question, answer }) => `${question}: ${answer}`)
  return [message, lines.join('\n')].filter(Boolean).join('\n\n') || null
}
