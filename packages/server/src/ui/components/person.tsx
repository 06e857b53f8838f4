/** A person's initials. */
export function Avatar({ name }: { readonly name: string }) {
  const letters = name
    .split(' ')
    .filter(Boolean)
    .map((word) => word.slice(0, 1))
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
      <bdi class="clip">{name}</bdi>
    </span>
  )
}

/** Rules and programs write without an author. */
export const authorOf = ({ author }: { readonly author: { readonly name: string } | null }): string =>
  author?.name ?? 'Automation'
