import type { Layout } from '../../http/dashboard/answer.tsx'
import { Document, Mark } from '../../ui/layout.tsx'

/** What stands around the pages of the double: nobody has signed in, and there is no workspace. */
export const DoubleLayout: Layout = ({ shown, theme, notice }) => (
  <Document title={`${shown.title} · Test double`} theme={theme}>
    <body>
      <a class="skip" href="#main">
        Skip to the content
      </a>
      <div class="column">
        <header class="topbar">
          <Mark />
          <nav class="crumbs" aria-label="Where you are">
            <ol>
              {(shown.crumbs ?? []).map(({ label, href }) => (
                <li>
                  <a href={href}>{label}</a>
                </li>
              ))}
              <li aria-current="page">{shown.title}</li>
            </ol>
          </nav>
          {shown.action}
        </header>
        <main id="main" tabindex={-1}>
          {shown.body}
        </main>
      </div>
      <div class="toast" role="status" id="toast">
        {notice !== undefined && <p>{notice}</p>}
      </div>
    </body>
  </Document>
)
