/** Why an expression that `recheck` cannot decide takes no longer than its text: what bounds it, and the test that grows it. */
export const undecided: Readonly<Record<string, string>> = {}

/** Why a pattern that is only known when the program runs holds no foreign text, by file and code. */
export const dynamic: Readonly<Record<string, string>> = {
  'packages/server/src/testing/contract/check-answer.ts new RegExp(pattern)':
    'The pattern is one that a schema of our contract states.',
  'packages/contract/src/match-routes.ts new RegExp(`^${source}$`)':
    "The path is one of our contract's; its parameters become [^/]+ and \\d+, each ended by a slash.",
}
