import type { FoundFrame } from '@service/intake/errors/frame'
import type { RecordDraft } from '@service/intake/errors/record'

/** An error that one of the company's applications reports. */
export interface ErrorText {
  readonly report: RecordDraft
  /** The newest first. */
  readonly frames: readonly FoundFrame[]
  readonly urls: readonly (string | null)[]
  /** How often it is reported on a day so many days ago. */
  perDay(ago: number): number
  /** What became of its ticket; `none` where the reports are not bad enough for one. */
  readonly fate: 'none' | 'open' | 'unanswered' | 'resolved' | 'reopened'
}

const frame = (file: string, line: number, name: string): FoundFrame => ({ file, line, function: name })
/** 1 on the days from `last` to `first`, counted back from today, else 0. */
const between = (ago: number, last: number, first: number): number => (ago >= last && ago <= first ? 1 : 0)
const shop = 'https://shop.harbourline.example'
const production = { environment: 'production' }

export const errorTexts: readonly ErrorText[] = [
  {
    report: {
      ...production,
      app: 'checkout-api',
      framework: 'node',
      severity: 'error',
      method: 'POST',
      status: 500,
      exception: 'TypeError',
      message: "Cannot read properties of undefined (reading 'pickupPoint')",
      url: `${shop}/api/checkout`,
    },
    frames: [
      frame('src/checkout/shipping.ts', 88, 'shippingOptions'),
      frame('src/checkout/quote.ts', 41, 'quote'),
      frame('src/http/router.ts', 119, 'handle'),
    ],
    urls: [`${shop}/api/checkout`, `${shop}/api/checkout?guest=1`, `${shop}/api/checkout/quote`],
    perDay: (ago) => between(ago, 0, 9) * (22 - 2 * ago),
    fate: 'open',
  },
  {
    report: {
      ...production,
      app: 'checkout-api',
      framework: 'node',
      severity: 'warning',
      method: 'GET',
      status: 504,
      exception: 'UpstreamTimeout',
      message: 'The carrier rate service did not answer within 3000 ms',
      url: `${shop}/api/rates`,
    },
    frames: [frame('src/carriers/rates.ts', 63, 'fetchRates'), frame('src/checkout/quote.ts', 57, 'quote')],
    urls: [`${shop}/api/rates?zone=NL`, `${shop}/api/rates?zone=DE`, `${shop}/api/rates?zone=SE`],
    perDay: (ago) => between(ago, 0, 52) * (ago % 7 < 2 ? 6 : 2),
    fate: 'none',
  },
  {
    report: {
      ...production,
      app: 'driver-app',
      framework: 'react-native',
      severity: 'fatal',
      exception: 'OutOfMemoryError',
      message: 'Failed to allocate a 48771084 byte allocation while decoding a photo',
      url: null,
    },
    frames: [frame('src/proof/PhotoQueue.tsx', 132, 'compress'), frame('src/proof/ProofScreen.tsx', 58, 'onCapture')],
    urls: [null],
    perDay: (ago) => between(ago, 34, 46) * (7 - Math.abs(40 - ago)),
    fate: 'resolved',
  },
  {
    report: {
      ...production,
      app: 'driver-app',
      framework: 'react-native',
      severity: 'error',
      exception: 'SessionExpired',
      message: 'The refresh token was rejected: invalid_grant',
      url: 'https://id.harbourline.example/oauth/token',
      method: 'POST',
      status: 400,
    },
    frames: [frame('src/auth/session.ts', 77, 'refresh'), frame('src/sync/SyncEngine.ts', 204, 'pull')],
    urls: ['https://id.harbourline.example/oauth/token'],
    perDay: (ago) => 9 * between(ago, 25, 30) + 3 * between(ago, 0, 13),
    fate: 'reopened',
  },
  {
    report: {
      ...production,
      app: 'warehouse-sync',
      framework: 'python',
      severity: 'error',
      exception: 'psycopg.errors.UniqueViolation',
      message: 'duplicate key value violates unique constraint "shelf_receipt_pkey"',
      url: null,
    },
    frames: [
      frame('warehouse_sync/receipts.py', 211, 'store_receipt'),
      frame('warehouse_sync/worker.py', 48, 'run_batch'),
    ],
    urls: [null],
    perDay: (ago) => 24 * between(ago, 17, 21),
    fate: 'resolved',
  },
  {
    report: {
      ...production,
      app: 'customer-portal',
      framework: 'laravel',
      severity: 'error',
      method: 'GET',
      status: 500,
      exception: 'Illuminate\\Database\\QueryException',
      message: 'SQLSTATE[HY000] [2002] Connection timed out',
      url: 'https://portal.harbourline.example/deliveries',
    },
    frames: [
      frame('app/Http/Controllers/DeliveryController.php', 64, 'index'),
      frame('app/Reports/DeliveryReport.php', 29, 'rows'),
    ],
    urls: ['https://portal.harbourline.example/deliveries', 'https://portal.harbourline.example/deliveries/export'],
    perDay: (ago) => 40 * (between(ago, 51, 52) + between(ago, 28, 28)),
    fate: 'resolved',
  },
  {
    report: {
      ...production,
      app: 'route-planner',
      framework: 'node',
      severity: 'error',
      exception: 'RangeError',
      message: 'No depot has a van with 14 free places',
      url: 'https://planner.harbourline.example/plan',
      method: 'POST',
      status: 500,
    },
    frames: [frame('src/planner/assign.ts', 154, 'assignVans'), frame('src/planner/plan.ts', 37, 'plan')],
    urls: ['https://planner.harbourline.example/plan'],
    perDay: (ago) => 3 * between(ago, 0, 1),
    fate: 'unanswered',
  },
]
