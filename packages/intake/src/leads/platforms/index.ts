import { calCom } from './cal-com.ts'
import { calendly } from './calendly.ts'
import { form } from './form.ts'
import { formstack } from './formstack.ts'
import { googleAds } from './google-ads.ts'
import { gravityForms } from './gravity-forms.ts'
import { hubspot } from './hubspot.ts'
import { jotform } from './jotform.ts'
import { linkedin } from './linkedin.ts'
import { meta } from './meta.ts'
import { netlify } from './netlify.ts'
import type { LeadBody, LeadPlatform } from './platform.ts'
import { tally } from './tally.ts'
import { tiktok } from './tiktok.ts'
import { twilio } from './twilio.ts'
import { typeform } from './typeform.ts'
import { webflow } from './webflow.ts'
import { whatsapp } from './whatsapp.ts'
import { wufoo } from './wufoo.ts'

const adsAndChats = [whatsapp, twilio, googleAds, meta, linkedin] as const
const meetings = [calendly, calCom] as const
const formBuilders = [typeform, tally, jotform, webflow, netlify, wufoo, formstack, gravityForms, hubspot] as const

/** Tried in this order, by shape; `form` takes what is left. A new platform is one file and one line here. */
export const leadPlatforms: readonly LeadPlatform[] = [...adsAndChats, ...meetings, ...formBuilders, tiktok, form]

export const platformFor = (delivered: LeadBody): LeadPlatform =>
  leadPlatforms.find((platform) => platform.recognises(delivered)) ?? form
