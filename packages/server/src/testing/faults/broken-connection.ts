import type { ConnectionFault } from './fault.ts'

// What undici gives for the same fault of a real socket, so that code under test cannot tell the transports apart.

const causes: Readonly<Record<Exclude<ConnectionFault, 'hang'>, (url: URL) => Error>> = {
  reset: () => systemError('read ECONNRESET', { code: 'ECONNRESET', errno: -104, syscall: 'read' }),
  'reset-mid-body': () => systemError('read ECONNRESET', { code: 'ECONNRESET', errno: -104, syscall: 'read' }),
  close: () => Object.assign(systemError('other side closed', { code: 'UND_ERR_SOCKET' }), { name: 'SocketError' }),
  refused: ({ hostname: address, port, protocol }) =>
    systemError(`connect ECONNREFUSED ${address}:${port || defaultPort(protocol)}`, {
      code: 'ECONNREFUSED',
      errno: -111,
      syscall: 'connect',
      address,
      port: Number(port || defaultPort(protocol)),
    }),
  dns: ({ hostname }) =>
    systemError(`getaddrinfo ENOTFOUND ${hostname}`, {
      code: 'ENOTFOUND',
      errno: -3008,
      syscall: 'getaddrinfo',
      hostname,
    }),
  tls: () => systemError('self-signed certificate', { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' }),
}

const defaultPort = (protocol: string) => (protocol === 'https:' ? 443 : 80)

const systemError = (message: string, fields: object) => Object.assign(new Error(message), fields)

const broken = new WeakSet<Error>()

/** `TypeError: fetch failed` whose cause has the code, or `terminated` where the answer has begun. */
export function connectionError(fault: Exclude<ConnectionFault, 'hang'>, url: string, hasBegun = false): TypeError {
  const error = new TypeError(hasBegun ? 'terminated' : 'fetch failed', { cause: causes[fault](new URL(url)) })
  broken.add(error)
  return error
}

/** Whether a fault of ours threw this, and not the platform. */
export const isBrokenConnection = (thrown: unknown): thrown is TypeError =>
  thrown instanceof TypeError && broken.has(thrown)
