/** What an embedder can import; only these have declarations. */
export const publicEntries = {
  index: 'src/index.ts',
  matchers: 'src/testing/entries/matchers.ts',
  msw: 'src/testing/entries/msw.ts',
  playwright: 'src/testing/entries/playwright.ts',
  testing: 'src/testing/entries/testing.ts',
  vitest: 'src/testing/entries/vitest.ts',
}

/** The command line and the threads, which are started by the names of their files. */
export const processEntries = {
  cli: 'src/cli/main.ts',
  'checkpoint-thread': 'src/store/checkpoint-thread.ts',
  'backup-thread': 'src/store/backup/backup-thread.ts',
  'copy-thread': 'src/cli/copy-thread.ts',
  'health-thread': 'src/runtime/health-thread.ts',
  'error-reading-thread': 'src/modules/error-reports/error-reading-thread.ts',
  'git-reading-thread': 'src/modules/git/git-reading-thread.ts',
}
