import { webhookSecretHeader } from '@service/contract'

/** A form to paste, and lines that pass on what it holds. They name a variable, so that no secret is in a program. */
export const leadSamples = (url: string) => [
  {
    language: 'Form',
    code: [
      `<form method="post" action="/contact">`,
      `  <label>Name <input name="name" required autocomplete="name"></label>`,
      `  <label>E-mail <input name="email" type="email" autocomplete="email"></label>`,
      `  <label>Phone <input name="phone" type="tel" autocomplete="tel"></label>`,
      `  <label>Company <input name="company" autocomplete="organization"></label>`,
      `  <label>Message <textarea name="message"></textarea></label>`,
      `  <button>Send</button>`,
      `</form>`,
    ].join('\n'),
  },
  {
    language: 'curl',
    code: [
      `curl '${url}' \\`,
      `  -H "${webhookSecretHeader}: $LEAD_SECRET" -H 'Content-Type: application/json' \\`,
      `  -d '{"name":"Ada Obi","email":"ada@example.com","company":"Northwind","message":"A demo, please"}'`,
    ].join('\n'),
  },
  {
    language: 'TypeScript',
    code: [
      `// What the form sends to your server`,
      `export async function passOnLead(form: FormData) {`,
      `  return fetch('${url}', {`,
      `    method: 'POST',`,
      `    headers: { '${webhookSecretHeader}': process.env.LEAD_SECRET, 'Content-Type': 'application/json' },`,
      `    body: JSON.stringify(Object.fromEntries(form)),`,
      `  })`,
      `}`,
    ].join('\n'),
  },
  {
    language: 'Python',
    code: [
      `import os, requests`,
      ``,
      `def pass_on_lead(form):`,
      `    return requests.post(`,
      `        '${url}',`,
      `        headers={'${webhookSecretHeader}': os.environ['LEAD_SECRET']},`,
      `        json=dict(form),`,
      `    )`,
    ].join('\n'),
  },
]
