import { form } from './form.ts'
import { googleAds } from './google-ads.ts'
import { linkedin } from './linkedin.ts'
import { meta } from './meta.ts'
import type { LeadBody, LeadPlatform } from './platform.ts'
import { tiktok } from './tiktok.ts'
import { typeform } from './typeform.ts'
import { whatsapp } from './whatsapp.ts'

/** Tried in this order, by shape; `form` takes what is left. A new platform is one file and one line here. */
const platforms: readonly LeadPlatform[] = [whatsapp, googleAds, meta, linkedin, typeform, tiktok]

export const platformFor = (delivered: LeadBody): LeadPlatform =>
  platforms.find((platform) => platform.recognises(delivered)) ?? form
