import { findEntry, words } from '../../ui/format.ts'

/** Brand names with their own capitalization. */
const names: Readonly<Record<string, string>> = {
  google_ads: 'Google Ads',
  linkedin: 'LinkedIn',
  tiktok: 'TikTok',
  whatsapp: 'WhatsApp',
}
/** The display name of a lead source. */
export const sourceName = (source: string) => findEntry(names, source) ?? words(source)
