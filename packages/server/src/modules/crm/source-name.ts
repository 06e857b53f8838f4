import { words } from '../../ui/format.ts'

/** Brands write themselves in their own way. */
const names: Readonly<Record<string, string>> = {
  google_ads: 'Google Ads',
  linkedin: 'LinkedIn',
  tiktok: 'TikTok',
  whatsapp: 'WhatsApp',
}
/** What a source of leads is called. */
export const sourceName = (source: string) => names[source] ?? words(source)
