import type { Child } from 'hono/jsx'
import { Icon } from './components/icon.tsx'
import { Avatar } from './components/person.tsx'
import { type NavGroup, navigation } from './navigation.ts'
import type { AccountPage, PageContent, WorkspacePage } from './page-types.ts'
import { useView } from './view-context.ts'

/** The data of the page layout. */
export interface Shell {
  readonly page: AccountPage | WorkspacePage
  readonly content: PageContent
  /** The path of the page within its workspace, e.g. `/tickets/42`. */
  readonly path: string
  /** Whether the page exists and the reader may open it. */
  has(path: string): boolean
  /** The address of a page in the current or last opened workspace. */
  workspaceLink(path: string): string
  readonly theme: Theme
  /** A message that is shown once. */
  readonly notice: string | undefined
  /** The address that takes the change of the notice back. */
  readonly undo: string | undefined
  /** The address of the page that sent the form. */
  readonly sentFrom: string | undefined
}

export type Theme = 'light' | 'dark' | undefined

const htmxConfig = JSON.stringify({ includeIndicatorCSS: false, history: false, defaultTimeout: 15_000 })

export function Document({
  title,
  theme,
  scripts = true,
  children,
}: {
  readonly title: string
  readonly theme: Theme
  readonly scripts?: boolean
  readonly children: Child
}) {
  const { asset } = useView()
  return (
    <html lang="en" data-theme={theme}>
      <head>
        <meta charset="utf-8" />
        <title>{title}</title>
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="htmx-config" content={htmxConfig} />
        <link rel="icon" href={asset('mark.svg')} type="image/svg+xml" />
        <link rel="preload" href={asset('geist-latin.woff2')} as="font" type="font/woff2" crossorigin="anonymous" />
        <link rel="stylesheet" href={asset('dashboard.css')} />
        {scripts && (
          <>
            <script src={asset('htmx.js')} defer />
            <script src={asset('dashboard.js')} defer />
          </>
        )}
      </head>
      {children}
    </html>
  )
}

export function Mark() {
  return (
    <svg class="mark" viewBox="0 0 20 20" aria-hidden="true">
      <rect width="20" height="20" rx="5" />
      <path d="M5.5 7h6a3 3 0 0 1 0 6h-3M5.5 13h.01" />
    </svg>
  )
}

/** The layout for signed-in readers. */
export function ShellPage({ shell }: { readonly shell: Shell }) {
  const { content, page } = shell
  return (
    <Document title={titleOf(shell)} theme={shell.theme}>
      <body
        data-live-url={content.live === true && 'liveUrl' in page ? page.liveUrl : undefined}
        data-session-url={'link' in page ? page.link('/session') : page.dashboard('/session')}
        data-person={page.person.id}
        data-address={(content.status ?? 200) < 400 ? undefined : shell.sentFrom}
      >
        <a class="skip" href="#main">
          Skip to the content
        </a>
        <div class="shell">
          <Sidebar shell={shell} />
          <div class="column">
            <TopBar shell={shell} />
            <main id="main" tabindex={-1}>
              {content.body}
            </main>
          </div>
        </div>
        <dialog id="drawer" class="drawer" aria-label="Details" />
        {shell.has('/search') && page.workspace !== undefined && <Palette action={shell.workspaceLink('/search')} />}
        {shell.undo !== undefined && <form method="post" action={shell.undo} id="undo" />}
        <div class="toast" role="status" id="toast">
          {shell.notice !== undefined && <Notice text={shell.notice} undo={shell.undo} />}
        </div>
      </body>
    </Document>
  )
}

/** The command palette. Without JavaScript, the search page does the same. */
const Palette = ({ action }: { readonly action: string }) => (
  <dialog id="palette" class="palette" aria-label="Search or go to">
    <search>
      <form action={action}>
        <Icon name="search" />
        <input
          type="search"
          name="q"
          dir="auto"
          aria-label="Search or go to"
          placeholder="A page, a ticket, a person, a delivery…"
          autocomplete="off"
        />
      </form>
    </search>
    <div id="palette-results" aria-live="polite" />
  </dialog>
)

/** Includes parent pages, so that browser tabs have different titles. */
const titleOf = ({ content, page }: Shell) =>
  [
    content.title,
    ...(content.crumbs ?? []).map(({ label }) => label).toReversed(),
    page.workspace?.name ?? 'Dashboard',
  ].join(' · ')

/** The breadcrumbs and the page title. */
export const Crumbs = ({ content }: Pick<Shell, 'content'>) => (
  <nav class="crumbs" aria-label="Breadcrumbs">
    <ol>
      {(content.crumbs ?? []).map(({ label, href }) => (
        <li>
          <a href={href}>
            <bdi>{label}</bdi>
          </a>
        </li>
      ))}
      <li aria-current="page">
        <bdi>{content.title}</bdi>
      </li>
    </ol>
  </nav>
)

function TopBar({ shell: { content } }: { readonly shell: Shell }) {
  return (
    <header class="topbar">
      <button
        id="open-menu"
        class="button quiet icon-only narrow-only"
        type="button"
        popovertarget="sidebar"
        aria-label="Open the menu"
      >
        <Icon name="menu" />
      </button>
      <Crumbs content={content} />
      {content.live === true && (
        <span class="live" id="live-state" data-state="off">
          Live
        </span>
      )}
      {content.action}
    </header>
  )
}

function Sidebar({ shell }: { readonly shell: Shell }) {
  const { page, has, workspaceLink } = shell
  const groups = navigation
    .map(({ label, items }) => ({ label, items: items.filter(({ path }) => has(path)) }))
    .filter(({ items }) => items.length > 0)
  return (
    <nav class="sidebar" id="sidebar" popover="auto" aria-label="Main">
      <div class="sidebar-top">
        <WorkspaceSwitch page={page} />
        {has('/search') && page.workspace !== undefined && (
          <a class="search-open" id="search-open" href={workspaceLink('/search')} data-palette>
            <Icon name="search" />
            Search or go to…
            <kbd>⌘K</kbd>
          </a>
        )}
      </div>
      <div class="nav">
        {page.workspace !== undefined && groups.map((group) => <Group group={group} shell={shell} />)}
      </div>
      <div class="sidebar-foot">
        <UserMenu page={page} />
        <ThemeButton shell={shell} />
      </div>
      <button
        type="button"
        class="beside"
        popovertarget="sidebar"
        popovertargetaction="hide"
        tabindex={-1}
        aria-label="Close the menu"
      />
    </nav>
  )
}

function Group({ group: { label, items }, shell }: { readonly group: NavGroup; readonly shell: Shell }) {
  const isCurrent = (path: string) => shell.path === path || shell.path.startsWith(`${path}/`)
  return (
    <div class="nav-group">
      {label !== undefined && <h2>{label}</h2>}
      <ul>
        {items.map((item) => (
          <li>
            <a
              class="nav-item"
              href={shell.workspaceLink(item.path)}
              aria-current={isCurrent(item.path) ? 'page' : undefined}
            >
              <Icon name={item.icon} />
              {item.label}
            </a>
          </li>
        ))}
      </ul>
    </div>
  )
}

const instanceLinks = [
  { path: '/workspaces', icon: 'list', label: 'Workspaces' },
  { path: '/people', icon: 'users', label: 'People' },
  { path: '/workspaces/new', icon: 'plus', label: 'New workspace' },
] as const

function WorkspaceSwitch({ page }: { readonly page: AccountPage }) {
  const { workspaces } = page.person
  return (
    <details class="switch" data-menu>
      <summary>
        <Mark />
        <bdi class="name clip">{page.workspace?.name ?? 'No workspace'}</bdi>
        <Icon name="chevron-down" />
      </summary>
      <div class="menu">
        {workspaces.map(({ id, name }) => (
          <a
            class="menu-item"
            href={page.dashboard(`/w/${id}/overview`)}
            aria-current={id === page.workspace?.id ? 'true' : undefined}
          >
            <Avatar name={name} />
            <bdi class="clip">{name}</bdi>
          </a>
        ))}
        {workspaces.length > 1 && (
          <a class="menu-item" href={page.dashboard('/open')}>
            <Icon name="search" />
            All your workspaces
          </a>
        )}
        {page.person.isInstanceAdmin && (
          <>
            <hr class="menu-line" />
            <span class="menu-title">This server</span>
            {instanceLinks.map(({ path, icon, label }) => (
              <a class="menu-item" href={page.dashboard(path)}>
                <Icon name={icon} />
                {label}
              </a>
            ))}
          </>
        )}
      </div>
    </details>
  )
}

function UserMenu({ page }: { readonly page: AccountPage }) {
  return (
    <details class="switch" data-menu>
      <summary>
        <Avatar name={page.person.name} />
        <bdi class="name clip">{page.person.name}</bdi>
      </summary>
      <div class="menu up">
        <a class="menu-item" href={page.dashboard('/account')}>
          <Icon name="user" />
          Your account
        </a>
        <hr class="menu-line" />
        <form method="post" action={page.dashboard('/sign-out')}>
          <button class="menu-item" type="submit">
            <Icon name="log-out" />
            Sign out
          </button>
        </form>
      </div>
    </details>
  )
}

const nextTheme = { undefined: 'dark', dark: 'light', light: 'system' } as const

function ThemeButton({ shell: { page, theme } }: { readonly shell: Shell }) {
  const next = nextTheme[`${theme}`]
  return (
    <form method="post" action={page.dashboard('/theme')}>
      <input type="hidden" name="theme" value={next} />
      <button id="theme" class="button quiet icon-only" type="submit" aria-label={`Change to the ${next} theme`}>
        <Icon name="sun-moon" />
      </button>
    </form>
  )
}

function Notice({ text, undo }: { readonly text: string; readonly undo: string | undefined }) {
  if (undo === undefined) return <p dir="auto">{text}</p>
  return (
    <p dir="auto">
      {text}.{' '}
      <button class="link" type="submit" form="undo" data-key="z" aria-keyshortcuts="z">
        Undo
      </button>
    </p>
  )
}

/** The layout of sign-in pages: a single card. Pages with a password field load no scripts. */
export function CardPage({
  title,
  theme,
  notice,
  children,
}: {
  readonly title: string
  readonly theme: Theme
  readonly notice: string | undefined
  readonly children: Child
}) {
  return (
    <Document title={title} theme={theme} scripts={false}>
      <body class="card-page">
        <main id="main">
          <Mark />
          {children}
        </main>
        <div class="toast" role="status">
          {notice !== undefined && <p>{notice}</p>}
        </div>
      </body>
    </Document>
  )
}
