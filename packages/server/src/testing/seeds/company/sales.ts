import { emailKey, phoneKey } from '@service/intake/leads/contact-key'
import { type Micros, microsPerDay, toDay } from '../../../core/clock.ts'
import type { Company } from './company.ts'
import { idAt, insertRows, type Received, takeIds } from './insert-rows.ts'
import { dealTexts, leadTexts } from './sales-texts.ts'
import { customers } from './ticket-texts.ts'

/** Accounts and their deals. */
export async function storeDeals({ app, workspace, now, people, random: streamOf }: Company): Promise<void> {
  const random = streamOf('deals')
  const owners = people.filter(({ department }) => ['Sales', 'Operations'].includes(department))
  const accountIds = await takeIds(app, 'accounts', customers.length)
  const ago = (days: number) => Math.round(now - (days + random.fraction() * 0.6) * microsPerDay)
  const accounts = inOrder(customers.map((name) => ({ name, created_at: ago(60) }))).map((account, index) => ({
    id: idAt(accountIds, index),
    workspace_id: workspace,
    ...account,
  }))
  await insertRows(app, 'accounts', accounts)
  await insertRows(
    app,
    'deals',
    inOrder(dealTexts.map((text) => ({ ...text, created_at: ago(text.daysAgo) }))).map(
      ({ title, stage, amount, account, closesIn, created_at }) => ({
        workspace_id: workspace,
        title,
        stage,
        amount: amount === null ? null : amount * 100,
        account_id: accounts.find(({ name }) => name === account)?.id ?? null,
        owner_id: random.pick(owners).id,
        expected_close_at: closesIn === null ? null : toDay(now + closesIn * microsPerDay),
        created_at,
        updated_at: Math.round(created_at + (now - created_at) * random.fraction()),
      }),
    ),
  )
}

/** The oldest first, as their ids are. */
const inOrder = <Row extends { readonly created_at: Micros }>(rows: readonly Row[]): Row[] =>
  rows.toSorted((a, b) => a.created_at - b.created_at)

/** Leads with every time that they got in touch; gives back when enquiries came. */
export async function storeLeads({ app, workspace, now, random: streamOf }: Company): Promise<readonly Received[]> {
  const random = streamOf('leads')
  const ids = await takeIds(app, 'leads', leadTexts.length)
  const leads = inOrder(
    leadTexts.map((text) => ({
      ...text,
      created_at: Math.round(now - (text.daysAgo + 0.05 + random.fraction() * 0.6) * microsPerDay),
    })),
  ).map((lead, index) => ({ ...lead, id: idAt(ids, index) }))
  await insertRows(
    app,
    'leads',
    leads.map(({ id, name, email, phone, company, source, notes, value, status, created_at }) => ({
      id,
      workspace_id: workspace,
      name,
      email,
      email_key: email === null ? null : emailKey(email),
      phone_key: source === 'whatsapp' && phone !== null ? phoneKey(phone) : null,
      phone,
      company,
      source,
      notes,
      estimated_value: value === null ? null : value * 100,
      status,
      created_at,
      updated_at: status === 'new' ? created_at : Math.round(created_at + (now - created_at) * random.fraction()),
    })),
  )
  const enquiries = leads.flatMap(({ again, notes, created_at, ...lead }) => [
    { ...lead, notes, at: created_at, isFirst: true },
    ...(again === undefined ? [] : [{ ...lead, notes: again, at: laterThan(created_at, now), isFirst: false }]),
  ])
  const ordered = enquiries.toSorted((a, b) => a.at - b.at)
  await insertRows(
    app,
    'lead_enquiries',
    ordered.map(({ id, source, name, email, phone, company, notes, at }) => ({
      ...{ workspace_id: workspace, lead_id: id, source, external_id: null },
      ...{ name, email, phone, company, notes, received_at: at },
    })),
  )
  const outcome = (isFirst: boolean) => (isFirst ? 'lead created' : 'duplicate')
  return ordered.map(({ at, source, isFirst }) => ({ at, status: 200, summary: `${source}: ${outcome(isFirst)}` }))
}

const laterThan = (at: Micros, now: Micros) => Math.round(at + (now - at) * 0.6)
