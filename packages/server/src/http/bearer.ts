const scheme = /^Bearer +(\S+) *$/i

export const bearerToken = (request: Request): string | undefined => {
  const authorization = request.headers.get('authorization')
  return authorization === null ? undefined : scheme.exec(authorization)?.[1]
}
