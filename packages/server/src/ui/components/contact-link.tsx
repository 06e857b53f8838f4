/** A `mailto:` link. Encoded, because a `?` in an address would add recipients or a text (RFC 6068 §2). */
export function EmailLink({ address }: { readonly address: string }) {
  const at = address.lastIndexOf('@')
  const [local, domain] = [address.slice(0, Math.max(at, 0)), address.slice(at + 1)]
  return <a href={`mailto:${encodeURIComponent(local)}${at < 0 ? '' : '@'}${encodeURIComponent(domain)}`}>{address}</a>
}

/** A `tel:` link. Its number has no spaces (RFC 3966 §3). */
export function PhoneLink({ number }: { readonly number: string }) {
  return <a href={`tel:${encodeURIComponent(number.replaceAll(/\s/g, '')).replaceAll('%2B', '+')}`}>{number}</a>
}
