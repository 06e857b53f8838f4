import type { Lead } from '@service/contract'
import type { LeadDetail } from '@service/contract/admin/crm'
import { LeadPatch } from '@service/contract/admin/crm-input'
import { leadSources, leadStatuses } from '@service/contract/values'
import { LinkButton } from '../../ui/components/button.tsx'
import { Icon } from '../../ui/components/icon.tsx'
import { Time } from '../../ui/components/time.tsx'
import { choice, moment, money, text } from '../../ui/resource/fields.tsx'
import { defineResource } from '../../ui/resource/resource.ts'
import { sourceName } from './lead-source-pages.tsx'

export const leads = defineResource<Lead, LeadDetail>()({
  noun: 'lead',
  icon: 'user-plus',
  about: 'Somebody who fills in a form of yours becomes a lead. Programs create them over the API.',
  role: 'member',
  api: (admin) => admin.leads,
  title: (lead) => lead.name,
  fields: {
    status: choice('Status', leadStatuses, {
      tones: { new: 'info', contacted: 'warn', qualified: 'warn', converted: 'ok' },
    }),
    name: text('Name'),
    company: text('Company', { show: (company) => <bdi>{company}</bdi> }),
    email: text('E-mail', { control: 'email', show: (email) => <a href={`mailto:${email}`}>{email}</a> }),
    phone: text('Phone', { show: (phone) => <a href={`tel:${phone}`}>{phone}</a> }),
    notes: text('Notes', { control: 'prose' }),
    source: choice('Source', leadSources, {
      look: 'quiet',
      show: sourceName,
      options: () => leadSources.map((value) => ({ value, label: sourceName(value) })),
    }),
    estimated_value: { ...money('Estimated value'), column: 'Value' },
    created_at: moment('Arrived'),
  },
  list: {
    link: 'name',
    columns: ['name', 'status', 'source', 'estimated_value', 'created_at'],
    onPhones: ['status', 'created_at'],
    filters: ['status', 'source'],
    beside: ({ company, email, phone }) => (
      <span class="quiet clip wide-only" dir="auto">
        {company ?? email ?? phone}
      </span>
    ),
    second: ({ source, company }) => [sourceName(source), company].filter(Boolean).join(' · '),
    start: (page) =>
      page.can('admin') && <LinkButton href={page.link('/lead-sources')}>Connect a lead source</LinkButton>,
  },
  detail: (_, lead) => ({
    badge: 'status',
    facts: ['?company', '?email', '?phone', 'source', 'estimated_value', 'created_at'],
    prose: 'notes',
    below: lead.enquiries.length > 0 && <Enquiries lead={lead} />,
  }),
  form: { change: LeadPatch },
})

function Enquiries({ lead: { enquiries } }: { readonly lead: LeadDetail }) {
  return (
    <section class="section">
      <h2>Enquiries</h2>
      <ol class="timeline">
        {enquiries.map(({ source, notes, received_at, name, company, email, phone }) => (
          <li>
            <Icon name="mail" />
            <div>
              <p>
                <strong>{sourceName(source)}</strong> · <Time at={received_at} />
              </p>
              <p class="meta" dir="auto">
                {[name, company, email, phone].filter(Boolean).join(' · ')}
              </p>
              {notes !== null && (
                <p class="prose" dir="auto">
                  {notes}
                </p>
              )}
            </div>
          </li>
        ))}
      </ol>
    </section>
  )
}
