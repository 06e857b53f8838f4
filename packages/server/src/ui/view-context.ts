import { createContext, useContext } from 'hono/jsx'

/** The page context of components. */
export interface View {
  /** The address of a static dashboard file, such as `icons.svg`. */
  asset(name: string): string
  /** Milliseconds since 1970, by the server's clock. */
  readonly now: number
  /** The reader's time zone, an IANA name. */
  readonly zone: string
  /** An idempotency key for a form, so that a double submit acts once. */
  newKey(): string
}

const nowhere: View = { asset: (name) => name, now: 0, zone: 'UTC', newKey: () => '' }

export const ViewContext = createContext<View>(nowhere)

export const useView = (): View => useContext(ViewContext)
