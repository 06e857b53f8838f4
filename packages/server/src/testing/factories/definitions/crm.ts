import { leadSources, NewLead } from '@service/contract'
import { LeadPatch, LeadSourcePatch } from '@service/contract/admin/crm-input'
import { Mapping } from '@service/contract/admin/mapping'
import * as z from 'zod/mini'
import type { TxApp } from '../../../context.ts'
import { createAccount, createDeal, NewAccount, NewDeal } from '../../../modules/crm/deal-service.ts'
import { createLead, updateLead } from '../../../modules/crm/lead-service.ts'
import {
  listLeadSources,
  regenerateLeadSourceSecret,
  setLeadSourceEnabled,
  updateLeadSource,
} from '../../../modules/crm/lead-source-service.ts'
import { defineFactory } from '../define-factory.ts'
import { sample } from '../sample.ts'

export const account = defineFactory({
  kind: 'account',
  shape: { name: z.optional(NewAccount.shape.name) },
  make: (app, { workspace_id, name }, n) => createAccount(app, { workspace_id, name: name ?? sample.company(n) }),
})

export const deal = defineFactory({
  kind: 'deal',
  shape: z.partial(z.omit(NewDeal, { workspace_id: true, account_id: true, owner_id: true })).shape,
  relations: { account_id: 'account', owner_id: 'member' },
  needs: ['account_id', 'owner_id'],
  make: (app, fields, n) => createDeal(app, { ...fields, title: fields.title ?? sample.deal(n) }),
})

const { source } = NewLead.shape

/** A lead source with a secret, enabled by default. */
export const leadSource = defineFactory({
  kind: 'leadSource',
  shape: {
    source: z.optional(source),
    active: z.optional(z.boolean()),
    secret: LeadSourcePatch.shape.secret,
    mapping: z.optional(Mapping),
  },
  async make(app, { workspace_id, source = leadSources[0], active = true, secret, mapping }) {
    const at = { workspaceId: workspace_id, source }
    await setLeadSourceEnabled(app, at, active)
    if (mapping !== undefined) await updateLeadSource(app, at, { mapping })
    return regenerateLeadSourceSecret(app, at, secret)
  },
})

export const lead = defineFactory({
  kind: 'lead',
  shape: {
    ...z.partial(NewLead).shape,
    source: z.optional(source),
    /** Any status except `new` is a change after the creation. */
    status: z.optional(LeadPatch.shape.status),
  },
  async make(app, { workspace_id, status, name, email, source: requestedSource, ...others }, n) {
    const source = requestedSource ?? (await activeSource(app, workspace_id))
    const address = email === undefined ? sample.email(n) : email
    const lead = await createLead(app, workspace_id, {
      ...others,
      name: name ?? sample.person(n),
      email: address,
      source,
    })
    if (status === undefined || status === lead.status) return lead
    return updateLead(app, { workspaceId: workspace_id, id: lead.id }, { status })
  },
})

/** An active source. One is enabled if there is none. */
async function activeSource(app: TxApp, workspaceId: number): Promise<string> {
  const active = (await listLeadSources(app, workspaceId)).find((each) => each.enabled)
  if (active !== undefined) return active.source
  return (await setLeadSourceEnabled(app, { workspaceId, source: leadSources[0] }, true)).source
}
