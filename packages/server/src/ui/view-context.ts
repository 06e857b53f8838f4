import { createContext, useContext } from 'hono/jsx'

/** What components need to know of the page that they stand on. */
export interface View {
  /** The address of a static file of the dashboard, such as `icons.svg`. */
  asset(name: string): string
  /** Milliseconds since 1970, by the server's clock. */
  readonly now: number
  /** The reader's time zone, an IANA name. */
  readonly zone: string
  /** Sent along with forms: the server acts once however often the same form comes. */
  newKey(): string
}

const nowhere: View = { asset: (name) => name, now: 0, zone: 'UTC', newKey: () => '' }

export const ViewContext = createContext<View>(nowhere)

export const useView = (): View => useContext(ViewContext)
