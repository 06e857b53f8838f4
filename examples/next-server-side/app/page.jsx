import { createClient } from '@service/client'
import { revalidatePath } from 'next/cache'

// Renders the page for each request. Otherwise, Next.js would render it once at build time.
export const dynamic = 'force-dynamic'

/** Creates the client for each request, so that the settings are read at run time. */
const connect = () =>
  createClient({
    baseUrl: process.env.SERVICE_URL,
    token: process.env.SERVICE_TOKEN,
    workspace: Number(process.env.SERVICE_WORKSPACE),
    maxRetries: 0, // a person is waiting
  })

async function report(form) {
  'use server'
  await connect().tickets.create({ title: String(form.get('title')) })
  revalidatePath('/')
}

export default async function Page() {
  const tickets = await connect().tickets.list().safe()
  return (
    <main>
      <form action={report}>
        <label>
          What is wrong? <input name="title" required />
        </label>
        <button type="submit">Report</button>
      </form>
      {tickets.ok ? (
        <ul>
          {tickets.data.map(({ id, title }) => (
            <li key={id}>{title}</li>
          ))}
        </ul>
      ) : (
        <p role="alert">Tickets cannot be shown now.</p>
      )}
    </main>
  )
}
