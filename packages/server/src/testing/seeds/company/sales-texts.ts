import type { customers } from './ticket-texts.ts'

type Customer = (typeof customers)[number]

interface DealText {
  readonly title: string
  readonly stage: 'prospecting' | 'qualification' | 'proposal' | 'negotiation' | 'won' | 'lost'
  readonly amount: number | null
  readonly account: Customer
  readonly daysAgo: number
  readonly closesIn: number | null
}

/** The oldest first. */
export const dealTexts: readonly DealText[] = [
  {
    title: 'Two-year contract',
    stage: 'won',
    amount: 184_000,
    account: 'Northwind Traders',
    daysAgo: 58,
    closesIn: -21,
  },
  {
    title: 'Returns handling',
    stage: 'won',
    amount: 22_400,
    account: 'Brightline Furniture',
    daysAgo: 55,
    closesIn: -34,
  },
  { title: 'Tender for Turin', stage: 'lost', amount: 96_000, account: 'Atlas Outdoor', daysAgo: 51, closesIn: -12 },
  {
    title: 'Refrigerated tours, fixed slot',
    stage: 'negotiation',
    amount: 131_500,
    account: 'Polar Foods',
    daysAgo: 44,
    closesIn: 8,
  },
  {
    title: 'Temperature logs',
    stage: 'proposal',
    amount: 18_750,
    account: 'Meridian Pharmacy',
    daysAgo: 37,
    closesIn: 17,
  },
  { title: 'Evening windows', stage: 'won', amount: 9_600, account: 'Café Solaris', daysAgo: 33, closesIn: -3 },
  {
    title: 'Bicycles in large boxes',
    stage: 'qualification',
    amount: 41_200,
    account: 'Kestrel Cycles',
    daysAgo: 27,
    closesIn: 44,
  },
  {
    title: 'Same-day in the city',
    stage: 'proposal',
    amount: 27_300,
    account: 'Juniper & Sons',
    daysAgo: 23,
    closesIn: 21,
  },
  {
    title: 'Storage for the season',
    stage: 'negotiation',
    amount: 35_900.5,
    account: 'Vesta Home',
    daysAgo: 19,
    closesIn: 11,
  },
  {
    title: 'Second depot',
    stage: 'qualification',
    amount: 210_000,
    account: 'Northwind Traders',
    daysAgo: 15,
    closesIn: 90,
  },
  {
    title: 'Assembly at the customer',
    stage: 'prospecting',
    amount: null,
    account: 'Brightline Furniture',
    daysAgo: 11,
    closesIn: null,
  },
  { title: 'Pharmacy courier', stage: 'lost', amount: 12_000, account: 'Meridian Pharmacy', daysAgo: 10, closesIn: -1 },
  {
    title: 'Export to Poland',
    stage: 'prospecting',
    amount: 58_000,
    account: 'Atlas Outdoor',
    daysAgo: 5,
    closesIn: 70,
  },
  {
    title: 'Pilot with two vans',
    stage: 'prospecting',
    amount: 1_800.5,
    account: 'Vesta Home',
    daysAgo: 1,
    closesIn: 30,
  },
]

interface LeadText {
  readonly name: string
  readonly email: string | null
  readonly phone: string | null
  readonly company: string | null
  readonly source: 'website' | 'facebook' | 'google_ads' | 'linkedin' | 'tiktok' | 'whatsapp'
  readonly notes: string | null
  readonly value: number | null
  readonly status: 'new' | 'contacted' | 'qualified' | 'converted' | 'lost'
  readonly daysAgo: number
  /** What they wrote when they got in touch once more. */
  readonly again?: string
}

const of = (name: string, email: string | null, company: string | null) => ({
  name,
  email,
  company,
  phone: null,
  value: null,
})

/** The oldest first. */
export const leadTexts: readonly LeadText[] = [
  {
    ...of('Sofia Marchetti', 'sofia@marchetti-vini.example', 'Marchetti Vini'),
    source: 'website',
    notes: 'About 40 cases a week to Germany, fragile.',
    value: 18_000,
    status: 'converted',
    daysAgo: 57,
    again: 'Could we start in the first week of the month?',
  },
  {
    ...of('Tom Hendriks', 'tom@hendriks-fietsen.example', 'Hendriks Fietsen'),
    source: 'google_ads',
    notes: 'Do you take bicycles without a box?',
    status: 'lost',
    daysAgo: 53,
  },
  {
    ...of('Adaeze Obi', 'adaeze@obi-textiles.example', 'Obi Textiles'),
    source: 'linkedin',
    notes: 'Met at the fair. Interested in storage for the season.',
    value: 24_000,
    status: 'qualified',
    daysAgo: 46,
    again: 'We now expect 300 m² from March.',
  },
  {
    ...of('Piotr Zieliński', 'piotr@zielinski-meble.example', 'Zieliński Meble'),
    source: 'facebook',
    notes: 'Price for a pallet from Gdańsk to Hamburg?',
    status: 'contacted',
    daysAgo: 41,
  },
  {
    ...of('Marta Nowak', 'marta.nowak@mail.example', null),
    source: 'facebook',
    notes: 'How much is moving a small flat?',
    status: 'lost',
    daysAgo: 40,
  },
  {
    ...of('Yusuf Kaya', null, 'Kaya Foods'),
    phone: '+31 6 5550 1188',
    source: 'whatsapp',
    notes: 'Need a cooled van twice a week',
    status: 'qualified',
    value: 31_000,
    daysAgo: 36,
    again: 'Can you call me today after 4?',
  },
  {
    ...of('Claire Dubois', 'claire@atelier-dubois.example', 'Atelier Dubois'),
    source: 'website',
    notes: 'Returns are the main problem for us.',
    status: 'contacted',
    daysAgo: 32,
  },
  {
    ...of('Erik Lund', 'erik@lundmarine.example', 'Lund Marine'),
    source: 'google_ads',
    notes: 'Oversized parts up to 4 m.',
    value: 12_500,
    status: 'converted',
    daysAgo: 29,
  },
  {
    ...of('Nadia Rahman', 'nadia@spiceroute.example', 'Spice Route'),
    source: 'tiktok',
    notes: null,
    status: 'lost',
    daysAgo: 27,
  },
  {
    ...of('Victor Alves', 'victor@alves-calcado.example', 'Alves Calçado'),
    source: 'linkedin',
    notes: 'Looking for a partner for Scandinavia.',
    value: 46_000,
    status: 'qualified',
    daysAgo: 24,
    again: 'Attached the volumes of last year.',
  },
  {
    ...of('Hanna Virtanen', 'hanna@virtanen-design.example', 'Virtanen Design'),
    source: 'website',
    notes: 'Lamps, fragile, about 20 parcels a day before Christmas.',
    status: 'contacted',
    daysAgo: 20,
  },
  {
    ...of('George Papadakis', null, null),
    phone: '+30 694 555 0142',
    source: 'whatsapp',
    notes: 'Do you deliver olive oil?',
    status: 'lost',
    daysAgo: 18,
  },
  {
    ...of('Ilse de Vries', 'ilse@boekenhuis.example', 'Boekenhuis'),
    source: 'website',
    notes: 'Same-day in Rotterdam for eleven shops.',
    value: 15_000,
    status: 'qualified',
    daysAgo: 15,
    again: 'Nine shops to begin with.',
  },
  {
    ...of('Samuel Osei', 'samuel@osei-medical.example', 'Osei Medical'),
    source: 'google_ads',
    notes: 'Temperature between 2 and 8 °C, with logs.',
    value: 38_000,
    status: 'contacted',
    daysAgo: 12,
  },
  {
    ...of('Lucía Fernández', 'lucia@solymar.example', 'Sol y Mar'),
    source: 'facebook',
    notes: 'Garden furniture, April to July.',
    status: 'new',
    daysAgo: 9,
  },
  {
    ...of('Ben Carter', 'ben@carterparts.example', 'Carter Parts'),
    source: 'linkedin',
    notes: 'Who handles customs for the UK?',
    status: 'contacted',
    daysAgo: 7,
  },
  {
    ...of('Zofia Wójcik', 'zofia@wojcik-zabawki.example', 'Wójcik Zabawki'),
    source: 'google_ads',
    notes: 'Toys, 60 parcels a day in December.',
    value: 9_800,
    status: 'new',
    daysAgo: 4,
    again: 'Is there an API for orders?',
  },
  {
    ...of('Ahmed Saleh', null, 'Saleh Auto'),
    phone: '+49 151 5550 7733',
    source: 'whatsapp',
    notes: 'tyres, 4 pallets, Hamburg to Malmö',
    status: 'new',
    daysAgo: 2,
  },
  {
    ...of('Camille Laurent', 'camille@laurent-cosmetique.example', 'Laurent Cosmétique'),
    source: 'tiktok',
    notes: 'Saw the video of the night shift! Do you pack as well?',
    status: 'new',
    daysAgo: 1,
  },
  {
    ...of('Oliver Grant', 'oliver@grantandco.example', 'Grant & Co'),
    source: 'website',
    notes: 'Please send your price list for pallets.',
    status: 'new',
    daysAgo: 0,
  },
]
