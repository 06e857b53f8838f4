export type FormSender = { readonly sender: string; readonly sends: string }

/** Senders without a reader of their own: what they send is read as a form. Each has a body in form-senders.test.ts. */
export const formSenders: readonly FormSender[] = [
  { sender: 'the documented body', sends: '`name`, `email`, `phone`, `company`, `message`' },
  { sender: 'Cognito Forms', sends: 'the fields by their names, a name in parts' },
  { sender: 'Contact Form 7', sends: '`your-name`, `your-email`, and names that it made up: `email-332`' },
  { sender: 'Elementor', sends: '`fields[name][value]` with `meta`, or the fields by their titles' },
  { sender: 'Fillout', sends: '`submission.questions[]` with `name` and `value`' },
  { sender: 'Fluent Forms', sends: '`names.first_name`, the other fields by their names' },
  { sender: 'GoHighLevel', sends: 'the contact flat, with `location` and `user`' },
  { sender: 'HeyForm', sends: '`answers[]` with a title in pieces' },
  { sender: 'HTML forms sent with `FormData`', sends: '`multipart/form-data`' },
  { sender: 'IndiaMART', sends: '`RESPONSE` with `SENDER_NAME`, `SENDER_MOBILE`, `QUERY_MESSAGE`' },
  { sender: 'Intercom', sends: 'the contact under `data.item`' },
  { sender: 'Mailchimp', sends: '`data[merges][FNAME]`, `data[email]`' },
  { sender: 'Meta leads by Make', sends: '`leadId` and `data`' },
  { sender: 'Meta leads by n8n', sends: 'a list with `data`, `form`, `ad` and `page`' },
  { sender: 'Meta leads by Zapier', sends: 'fields and ids side by side, numbers as `p:+49…`' },
  { sender: 'Paperform', sends: '`data[]` with `title`, `type`, `value`' },
  { sender: 'RD Station', sends: '`contact` or `leads[]`' },
  { sender: 'tawk.to', sends: '`requester` and `ticket`' },
  { sender: 'Tilda', sends: '`Name`, `Phone`, `Email` and `tranid`' },
  { sender: 'Unbounce', sends: 'every value in a list; JSON in `data.json`' },
  { sender: 'Wix', sends: '`data` with `contact` and fields whose names end in an id' },
  { sender: 'WPForms', sends: '`fields` by number with `name` and `value`, a name in parts' },
  { sender: 'Zoho, Salesforce', sends: '`First Name`, `last_name`, `Company`, `Description`' },
]
