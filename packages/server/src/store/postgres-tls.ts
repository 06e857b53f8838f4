import { readFileSync } from 'node:fs'
import { parseDatabaseUrl } from '../core/database-url.ts'

interface TlsConnection {
  readonly url: string
  /** The host of the URL. */
  readonly where: string
}

/** TLS with PostgreSQL fails. The message names the host and the remedy. */
export class TlsError extends Error {
  override readonly name = 'TlsError'
}

/** Codes of Node for certificates that it rejects. */
const certificateCodes = /^(?:DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|CERT_|INVALID_|ERR_TLS_CERT)/

export const isCertificateFault = (failure: unknown): boolean => certificateCodes.test(String(Object(failure).code))

/** Why TLS with PostgreSQL fails, with the remedy; undefined for other failures. */
export function explainTls(failure: unknown, { url, where }: TlsConnection): TlsError | undefined {
  if (failure instanceof TlsError) return failure
  const { code, message } = Object(failure)
  const { searchParams } = parseDatabaseUrl(url)
  if (isCertificateFault(failure))
    return new TlsError(describeCertificate(failure, { where, rootFile: searchParams.get('sslrootcert') }))
  if (/^ERR_OSSL_/.test(String(code)) && (searchParams.has('sslcert') || searchParams.has('sslkey')))
    return new TlsError(
      `The files of sslcert and sslkey in the database URL cannot be used (${code}). They must be a certificate in PEM format and its private key.`,
    )
  if (message !== 'The server does not support SSL connections') return undefined
  return new TlsError(
    `PostgreSQL at ${where} does not support TLS, which the sslmode of the database URL (or PGSSLMODE) requires. Set ssl = on in PostgreSQL, or sslmode=disable in a network that you trust.`,
  )
}

interface Verification extends Pick<TlsConnection, 'where'> {
  readonly rootFile: string | null
}

function describeCertificate(failure: unknown, { where, rootFile }: Verification): string {
  const { code, cert } = Object(failure)
  const certificate = `The certificate of PostgreSQL at ${where}`
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID')
    return `${certificate} is for other hosts: ${cert?.subjectaltname ?? 'it names none'} (${code}). Use one of these in the database URL, or a certificate for this host.`
  if (code === 'CERT_HAS_EXPIRED' || code === 'CERT_NOT_YET_VALID')
    return `${certificate}, or that of its authority, is not valid at this time (${code}). Renew it, or correct the clock of this machine.`
  if (rootFile === null)
    return `${certificate} is not from an authority that this machine trusts (${code}). Add sslrootcert=<file> with the certificate of its authority to the database URL.`
  if (!readFileSync(rootFile, 'utf8').includes('-----BEGIN '))
    return `${rootFile}, which sslrootcert in the database URL names, has no certificate in PEM format.`
  return `${certificate} is not from the authority in ${rootFile} (${code}). Set sslrootcert in the database URL to the certificate of its authority.`
}
