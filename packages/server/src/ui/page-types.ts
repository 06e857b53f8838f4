import type { Admin } from '@service/client/admin'
import type { AdminRole, Named } from '@service/contract'
import type { MemberRole } from '@service/contract/admin/people-input'
import type { Child } from 'hono/jsx'

// The types of a module's pages. Pages do not handle requests: they get a context, call the admin API as the
// signed-in person, and return what to show.

/** The fields of a form or query string. */
export interface Fields {
  /** The trimmed text of a field; empty if it is missing. */
  text(name: string): string
  /** All values of a field that may occur several times. */
  list(name: string): readonly string[]
  has(name: string): boolean
  /** As in a query string. */
  entries(): readonly (readonly [string, string])[]
}

/** An error from the admin API. */
export interface AdminRefusal {
  readonly message: string
  /** Messages by field. */
  readonly errors: Readonly<Record<string, readonly string[]>>
}

/** The signed-in person. */
export interface Reader {
  readonly id: number
  readonly name: string
  readonly email: string
  readonly isInstanceAdmin: boolean
  readonly hidesFirstSteps: boolean
  /** The last opened ones, the current one first. */
  readonly workspaces: readonly { readonly id: number; readonly name: string; readonly role: MemberRole }[]
}

/** The page's workspace. */
export interface CurrentWorkspace {
  readonly id: number
  readonly name: string
  readonly zone: string
  readonly currency: string | null
}

/** The context of every page. */
export interface PublicPage {
  /** The admin API as the signed-in person, or without credentials. */
  readonly admin: Admin
  /** The API error behind a thrown error; undefined for other errors. */
  findRefusal(error: unknown): AdminRefusal | undefined
  /** The response of an admin route that streams, at its path such as `/backups/{file}`. */
  openStream(path: string): Promise<Response>
  /** Whether a one-time link with this code is valid now. */
  isLink(purpose: 'setup' | 'password', code: string): Promise<boolean>
  /** Whom a valid password link invites: a person without a password. */
  findInvitation(code: string): Promise<{ readonly name: string; readonly workspace: Named } | undefined>
  /** Whether someone can sign in yet. */
  isSetUp(): Promise<boolean>
  readonly params: Readonly<Record<string, string>>
  readonly query: Fields
  /** The fields of a POST. */
  readonly form: Fields
  /** The address of a dashboard page, e.g. `/account`. */
  dashboard(path: string): string
  /** The server's base URL, without a trailing slash, e.g. `https://example.com/platform`. */
  readonly serverUrl: string
  /** Milliseconds since 1970. */
  readonly now: number
  readonly zone: string
  /** The dashboard page that a form was sent from, or else the first page. */
  readonly returnPath: string
  /** Whether the request is for a part of a page. */
  readonly isFragment: boolean
}

/** The context of pages that require sign-in. */
export interface AccountPage extends PublicPage {
  readonly person: Reader
  /** The last opened workspace. */
  readonly workspace: CurrentWorkspace | undefined
  /** Whether the workspace has this page and the person may open it. Servers may have different pages. */
  has(path: string): boolean
}

/** The context of workspace pages. */
export interface WorkspacePage extends AccountPage {
  readonly workspace: CurrentWorkspace
  readonly role: MemberRole | 'instance'
  /** Whether the person has at least this role. */
  can(role: AdminRole): boolean
  /** The address of a page of this workspace, e.g. `/tickets/42`. */
  link(path: string): string
  /** The event stream of changes since this page was loaded. */
  readonly liveUrl: string
  /** The names of the other people who edit a ticket now. */
  listEditors(ticketId: number): Promise<readonly string[]>
  /** Shows others that the person edits a ticket, for 45 seconds or until they leave it. */
  noteEditing(ticketId: number, isEditing: boolean): void
}

interface Crumb {
  readonly label: string
  readonly href: string
}

/** A rendered page. */
export interface PageContent {
  readonly kind: 'page'
  readonly title: string
  readonly body: Child
  /** The parent pages. */
  readonly crumbs?: readonly Crumb[] | undefined
  /** The most common action, shown in the top bar. */
  readonly action?: Child
  /** Defaults to 200. */
  readonly status?: number
  readonly retryAfterSeconds?: number | undefined
  /** Whether the page receives live updates. */
  readonly live?: boolean
}

/** A file that is generated while it is sent. */
export interface Download {
  readonly kind: 'download'
  readonly name: string
  readonly type: string
  readonly content: AsyncIterable<string>
}

/** A response of the admin API, as it is. */
export interface Forwarded {
  readonly kind: 'forwarded'
  readonly response: Response
}

/** The result of a page handler. */
export type PageResult = ShownResult | Download | Forwarded

export type ShownResult =
  | PageContent
  | {
      readonly kind: 'redirect'
      readonly to: string
      readonly notice?: string
      /** The dashboard address that takes the change back with a POST. The notice offers it. */
      readonly undo?: string | undefined
      readonly theme?: string
    }
  | { readonly kind: 'signed_in'; readonly token: string; readonly expiresAt: string; readonly to: string }
  | { readonly kind: 'signed_out'; readonly to: string }

export interface PageRoute<Page extends PublicPage> {
  readonly method: 'GET' | 'POST'
  /** The path within the workspace or dashboard, e.g. `/tickets/{id}`. */
  readonly path: string
  /** The minimum role; defaults to viewer. */
  readonly role?: AdminRole
  /** What its form creates, such as `task`: the palette offers “New task”. */
  readonly creates?: string
  handle(page: Page): PageResult | Promise<PageResult>
}

/** A module's workspace pages. */
export type WorkspacePages = readonly PageRoute<WorkspacePage>[]
/** Pages about the person or the instance. */
export type AccountPages = readonly PageRoute<AccountPage>[]
/** Pages that need no sign-in. */
export type PublicPages = readonly PageRoute<PublicPage>[]

/** The record that a page shows: the id from its address and its workspace. */
export const recordRef = ({ workspace, params }: WorkspacePage) => ({
  workspace: workspace.id,
  id: Number(params['id']),
})

export const show = (page: Omit<PageContent, 'kind'>): PageContent => ({ kind: 'page', ...page })

/** Redirects to another page, which shows the notice once. */
export const redirect = (to: string, notice?: string, undo?: string): ShownResult => ({
  kind: 'redirect',
  to,
  ...(notice === undefined ? {} : { notice, undo }),
})
