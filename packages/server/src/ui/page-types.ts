import type { Admin } from '@service/client/admin'
import type { AdminRole } from '@service/contract'
import type { MemberRole } from '@service/contract/admin/people-input'
import type { Child } from 'hono/jsx'

// What a module's pages are made of. They know no requests: they get a context, ask administration as the person who
// looks, and give back what is to be shown.

/** What a form or a query string sends. */
export interface Fields {
  /** The text of a field, trimmed; empty when it was not sent. */
  text(name: string): string
  /** All texts of a field that may be sent several times. */
  list(name: string): readonly string[]
  has(name: string): boolean
  /** As it would be in a query string. */
  entries(): readonly (readonly [string, string])[]
}

/** What administration says when it refuses. */
export interface AdminRefusal {
  readonly message: string
  /** Sentences per field. */
  readonly errors: Readonly<Record<string, readonly string[]>>
}

/** Who looks at the dashboard. */
export interface Reader {
  readonly id: number
  readonly name: string
  readonly email: string
  readonly isInstanceAdmin: boolean
  readonly workspaces: readonly { readonly id: number; readonly name: string; readonly role: MemberRole }[]
}

/** The workspace that a page is about. */
export interface CurrentWorkspace {
  readonly id: number
  readonly name: string
  readonly zone: string
  readonly currency: string | null
}

/** What every page gets. */
export interface PublicPage {
  /** Administration, as whoever looks; nobody's where nobody has signed in. */
  readonly admin: Admin
  /** What it has refused and why, for an error that it has thrown. */
  refusalOf(error: unknown): AdminRefusal | undefined
  /** Whether a one-time link with this code works at this moment. */
  isLink(purpose: 'setup' | 'password', code: string): Promise<boolean>
  /** Whether somebody can sign in yet. */
  isSetUp(): Promise<boolean>
  readonly params: Readonly<Record<string, string>>
  readonly query: Fields
  /** Of a POST. */
  readonly form: Fields
  /** The address of a page of the dashboard, e.g. `/account`. */
  dashboard(path: string): string
  /** The address below which the server is reached, without a trailing slash, e.g. `https://example.com/platform`. */
  readonly serverUrl: string
  /** Milliseconds since 1970. */
  readonly now: number
  readonly zone: string
  /** The page on which a form was sent, where that is one of the dashboard; else its first. */
  readonly cameFrom: string
  /** Whether the request asks for a part of a page. */
  readonly isFragment: boolean
}

/** What a page for somebody who has signed in gets. */
export interface AccountPage extends PublicPage {
  readonly person: Reader
  /** The workspace that was looked at last. */
  readonly workspace: CurrentWorkspace | undefined
  /** Whether the workspace has a page there that the person may open. Not all servers have all pages. */
  has(path: string): boolean
}

/** What a page of a workspace gets. */
export interface WorkspacePage extends AccountPage {
  readonly workspace: CurrentWorkspace
  readonly role: MemberRole | 'instance'
  /** Whether the person may do what needs this role. */
  can(role: AdminRole): boolean
  /** The address of a page of this workspace, e.g. `/tickets/42`. */
  link(path: string): string
  /** Tells what has changed since this page was asked for. */
  readonly liveUrl: string
}

interface Crumb {
  readonly label: string
  readonly href: string
}

/** A page to look at. */
export interface Shown {
  readonly kind: 'page'
  readonly title: string
  readonly body: Child
  /** The pages above this one. */
  readonly crumbs?: readonly Crumb[] | undefined
  /** The one thing that people most often do here; stands in the top bar. */
  readonly action?: Child
  /** 200 unless told otherwise. */
  readonly status?: number
  /** The topics whose changes this page shows. */
  readonly live?: boolean
}

/** What a page gives back. */
export type PageResult =
  | Shown
  | { readonly kind: 'redirect'; readonly to: string; readonly notice?: string; readonly theme?: string }
  | {
      readonly kind: 'download'
      readonly name: string
      readonly type: string
      readonly content: string | AsyncIterable<string>
    }
  | { readonly kind: 'signed_in'; readonly token: string; readonly expiresAt: string; readonly to: string }
  | { readonly kind: 'signed_out'; readonly to: string }

export interface PageRoute<Page extends PublicPage> {
  readonly method: 'GET' | 'POST'
  /** Below the workspace or the dashboard, e.g. `/tickets/{id}`. */
  readonly path: string
  /** The least that somebody must be who opens it; a viewer of the workspace when left out. */
  readonly role?: AdminRole
  handle(page: Page): PageResult | Promise<PageResult>
}

/** The pages of a module that belong to a workspace. */
export type WorkspacePages = readonly PageRoute<WorkspacePage>[]
/** Those about the person or the instance. */
export type AccountPages = readonly PageRoute<AccountPage>[]
/** Those that nobody needs to sign in for. */
export type PublicPages = readonly PageRoute<PublicPage>[]

/** What a page is about: the id of its address, in its workspace. */
export const placeOf = ({ workspace, params }: WorkspacePage) => ({
  workspace: workspace.id,
  id: Number(params['id']),
})

export const show = (page: Omit<Shown, 'kind'>): Shown => ({ kind: 'page', ...page })

/** To another page, which shows the notice once. */
export const redirect = (to: string, notice?: string): PageResult => ({
  kind: 'redirect',
  to,
  ...(notice === undefined ? {} : { notice }),
})
