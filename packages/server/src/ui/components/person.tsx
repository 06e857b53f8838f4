/** A person's initials. */
export function Avatar({ name }: { readonly name: string }) {
  const words = name.split(' ').filter(Boolean)
  const named = words.filter((word) => /^\p{L}/u.test(word))
  const letters = (named.length > 0 ? named : words).map((word) => Array.from(word)[0])
  const shown = letters.length > 1 ? `${letters[0]}${letters.at(-1)}` : (letters[0] ?? '?')
  return (
    <bdi class="avatar" aria-hidden="true">
      {shown.toUpperCase()}
    </bdi>
  )
}

export function Person({
  name,
  empty = 'Unassigned',
}: {
  readonly name: string | null | undefined
  readonly empty?: string
}) {
  if (name === null || name === undefined) return <span class="quiet">{empty}</span>
  return (
    <span class="person">
      <Avatar name={name} />
      <bdi class="clip" title={name}>
        {name}
      </bdi>
    </span>
  )
}

interface Actor {
  readonly kind: string
  readonly name: string | null
}

const nameless: Readonly<Record<string, string>> = {
  rule: 'A deleted rule',
  error_report: 'An error',
  git_issue: 'A Git issue',
}

/** A person, a rule, or a program. */
export const actorName = (actor: Actor | null): string => actor?.name ?? nameless[actor?.kind ?? ''] ?? 'A program'

interface Written {
  readonly author: { readonly name: string } | null
  readonly origin: Actor | null
}

/** Rules and programs write without an author. */
export const authorOf = ({ author, origin }: Written): string =>
  author?.name ?? (origin === null ? 'Automation' : actorName(origin))
