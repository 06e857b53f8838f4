/** A kind of ticket that the company gets. `{customer}`, `{order}`, `{city}` and `{depot}` are filled in. */
export interface TicketText {
  readonly title: string
  readonly description: string
  readonly category: string
  readonly tags: readonly string[]
  readonly priorities: readonly string[]
  /** The project, by its place in the list of projects. */
  readonly project: number | null
}

export const customers = [
  'Northwind Traders',
  'Polar Foods',
  'Atlas Outdoor',
  'Meridian Pharmacy',
  'Brightline Furniture',
  'Café Solaris',
  'Juniper & Sons',
  'Vesta Home',
  'Kestrel Cycles',
] as const

export const cities = ['Rotterdam', 'Antwerp', 'Hamburg', 'Lyon', 'Gdańsk', 'Porto', 'Malmö', 'Turin'] as const
export const depots = ['Depot North', 'Depot Harbour', 'Depot West'] as const

type Kind = Pick<TicketText, 'priorities'> & { readonly project?: number }

const text = (
  [title, description]: readonly [string, string],
  [category, ...tags]: readonly [string, ...string[]],
  { priorities, project }: Kind,
): TicketText => ({ title, description, category, tags, priorities, project: project ?? null })

const everyday = { priorities: ['medium', 'medium', 'low', 'high'] }
const pressing = { priorities: ['high', 'high', 'urgent', 'medium'] }
const calm = { priorities: ['low', 'low', 'medium'] }

export const ticketTexts: readonly TicketText[] = [
  text(
    [
      'Parcel {order} shows as delivered but {customer} has not received it',
      'The driver scanned it at 14:10. The customer checked with both neighbours. Please open a trace with the depot.',
    ],
    ['delivery', 'trace', 'customer'],
    pressing,
  ),
  text(
    [
      'Checkout fails for guests on the {customer} shop',
      'Guests get "payment method not available" after choosing a pick-up point. Signed-in customers are fine.',
    ],
    ['bug', 'checkout'],
    { ...pressing, project: 0 },
  ),
  text(
    [
      'Route for {city} has 14 stops more than the van can take',
      'The optimiser ignored the volume limit of the small vans. The dispatcher moved the stops by hand this morning.',
    ],
    ['routing', 'planner'],
    { ...everyday, project: 1 },
  ),
  text(
    [
      'Invoice for October counts returns twice ({customer})',
      'Three returned parcels are on it as outbound and again as return. The difference is 41.70.',
    ],
    ['billing', 'invoice'],
    everyday,
  ),
  text(
    [
      'Label printer at {depot} prints blank labels',
      'Second time this week. Restarting the spooler helps for an hour or so.',
    ],
    ['hardware', 'printer', 'warehouse'],
    { ...everyday, project: 2 },
  ),
  text(
    [
      'Driver app signs out during a shift',
      'Two drivers in {city} had to sign in again after every stop. Both have the new phone.',
    ],
    ['bug', 'driver-app', 'mobile'],
    { ...pressing, project: 3 },
  ),
  text(
    [
      'Please add a delivery window of 18–21 h for {customer}',
      'They agreed to the evening surcharge. It should be offered in their checkout from Monday.',
    ],
    ['request', 'configuration'],
    calm,
  ),
  text(
    [
      'Tracking page is slow in the evening',
      'Takes 6 to 8 seconds between 19 and 21 h. The map is there at once, the events are not.',
    ],
    ['performance', 'tracking'],
    { ...everyday, project: 0 },
  ),
  text(
    [
      'Wrong address format for {city}',
      'The house number comes before the street on the label, so the sorter rejects it.',
    ],
    ['bug', 'labels'],
    { ...everyday, project: 2 },
  ),
  text(
    [
      '{customer} wants proof of delivery for order {order}',
      'Signature and photo, please. Their accounting needs it until Friday.',
    ],
    ['delivery', 'customer'],
    calm,
  ),
  text(
    [
      'Temperature alarm on the refrigerated van to {city}',
      'Rose to 9 °C for eleven minutes while loading. Goods of {customer} were on board.',
    ],
    ['delivery', 'cold-chain'],
    { priorities: ['urgent', 'high'] },
  ),
  text(
    [
      'Webhook of {customer} gets events twice',
      'They see every ticket.updated two times since Tuesday. They answer after 20 seconds, which may be the reason.',
    ],
    ['integration', 'webhooks'],
    everyday,
  ),
  text(
    [
      'Cannot book a pick-up for a Saturday',
      'The calendar shows Saturday as closed although {depot} is open until noon.',
    ],
    ['bug', 'booking'],
    { ...everyday, project: 0 },
  ),
  text(
    [
      'Damaged goods: pallet {order} from {depot}',
      'Photos are in the shared folder. The film was torn at the bottom layer, two boxes are wet.',
    ],
    ['claim', 'damage'],
    pressing,
  ),
  text(
    [
      'Stock of {depot} differs from the count by 12 boxes',
      'Counted twice. The scanner log has 12 receipts without a shelf.',
    ],
    ['warehouse', 'stock'],
    { ...everyday, project: 2 },
  ),
  text(
    ['New employee needs access to the planner', 'Starts on Monday in dispatch. Same rights as Farid, please.'],
    ['access'],
    calm,
  ),
  text(
    [
      'Customs papers missing for order {order}',
      'The parcel waits in {city}. The commercial invoice was uploaded as an empty PDF.',
    ],
    ['customs', 'documents'],
    pressing,
  ),
  text(
    [
      'CSV export of deliveries cuts the customer reference',
      'Everything after the semicolon is gone. {customer} imports this file every night.',
    ],
    ['bug', 'export'],
    { ...everyday, project: 0 },
  ),
  text(
    ['Map shows vans an hour behind', 'Since the clocks changed. The list next to it has the right times.'],
    ['bug', 'planner'],
    { ...everyday, project: 1 },
  ),
  text(
    ['Fuel card of van 7 is refused', 'The driver paid privately in {city}. Receipt is attached to the expense.'],
    ['fleet'],
    calm,
  ),
  text(
    [
      'Rate limit reached by the nightly import of {customer}',
      'They send 400 orders in a minute at 02:00. We should tell them about the batch endpoint.',
    ],
    ['integration', 'api'],
    calm,
  ),
  text(
    ['Return label cannot be opened on a phone', 'The PDF opens as a blank page on iOS. Works on a computer.'],
    ['bug', 'labels', 'mobile'],
    { ...everyday, project: 2 },
  ),
  text(
    ['Delivery note of {customer} shows the old logo', 'They changed it in August and have asked twice by now.'],
    ['request', 'documents'],
    calm,
  ),
  text(
    ['Password reset mail does not arrive', 'Three people of {customer} tried. Their mail gateway says "greylisted".'],
    ['access', 'mail'],
    everyday,
  ),
  text(
    [
      'Order {order} has no pick-up point',
      'The carrier closed the shop in {city} at the end of last month; it is still offered.',
    ],
    ['delivery', 'data'],
    everyday,
  ),
  text(
    ['Scanner 4 at {depot} loses the network', 'Always at the ramp. A second access point was promised in spring.'],
    ['hardware', 'warehouse'],
    { ...everyday, project: 2 },
  ),
  text(
    [
      'Estimate of arrival is two hours early for {city}',
      'The ferry is not part of the route. Customers call at noon and ask where the van is.',
    ],
    ['routing', 'tracking'],
    { ...everyday, project: 1 },
  ),
  text(
    [
      'Add {customer} to the weekly volume report',
      'Same columns as for Polar Foods, sent on Mondays to their logistics address.',
    ],
    ['request', 'report'],
    calm,
  ),
  text(
    [
      'Payment of invoice is shown as open ({customer})',
      'They paid on the 3rd, the bank statement has it. The reference had a blank in it.',
    ],
    ['billing', 'invoice'],
    everyday,
  ),
  text(
    ['API answers 422 for a postcode with a blank', '"1012 AB" is refused, "1012AB" is taken. Both are common.'],
    ['bug', 'api'],
    { ...everyday, project: 0 },
  ),
  text(
    [
      'Driver app: photo upload hangs on slow networks',
      'In the tunnel to {city} it never times out, and the driver cannot go on to the next stop.',
    ],
    ['bug', 'driver-app', 'mobile'],
    { ...pressing, project: 3 },
  ),
  text(
    [
      'Forklift inspection is due at {depot}',
      'The inspector offers Tuesday or Thursday morning. The north aisle has to be free.',
    ],
    ['facility'],
    calm,
  ),
  text(
    [
      '{customer} asks for same-day delivery in {city}',
      'About 30 parcels a week, ready at 11 h. Sales wants to know whether the second van can do it.',
    ],
    ['request', 'sales'],
    calm,
  ),
  text(
    [
      'Search finds no order by its customer reference',
      'By our own number it does. Worked last week, so perhaps the new index.',
    ],
    ['bug', 'search'],
    { ...everyday, project: 0 },
  ),
  text(
    [
      'Night shift cannot reach the on-call engineer',
      'The number on the sheet belongs to somebody who left in summer.',
    ],
    ['process'],
    everyday,
  ),
  text(
    [
      'Planner crashes when a depot has no vans',
      'Closing {depot} for the holiday left its list empty. Stack trace is in the error report.',
    ],
    ['bug', 'planner'],
    { ...pressing, project: 1 },
  ),
  text(
    ['Duplicate customer records for {customer}', 'Four of them since the migration. Orders are spread over all four.'],
    ['data'],
    { ...calm, project: 4 },
  ),
  text(
    [
      'SMS notifications arrive at night',
      'The quiet hours of the template are in UTC. People in {city} were woken at 05:40.',
    ],
    ['bug', 'notifications'],
    { ...everyday, project: 0 },
  ),
  text(
    [
      'Contract of {customer} ends this month',
      'Dana has the new price list. Please keep the account active until it is signed.',
    ],
    ['sales', 'billing'],
    calm,
  ),
  text(
    [
      'Weight of parcels from {depot} is always 1.0 kg',
      'The scale is not read since the update of the packing station.',
    ],
    ['bug', 'warehouse'],
    { ...everyday, project: 2 },
  ),
  text(
    ['Certificate of the tracking domain expires in ten days', 'The renewal job has failed since the DNS change.'],
    ['operations'],
    { ...pressing, project: 4 },
  ),
  text(
    [
      'Two-factor sign-in for the customer portal',
      '{customer} needs it for their audit. A code by app would be enough.',
    ],
    ['request', 'security'],
    { ...calm, project: 0 },
  ),
]
