import { defaultHost } from '../core/host-name.ts'

// What commands and the server assume when no flag and no variable says otherwise.

export const defaultData = './.data'
export const defaultPort = 8080
/** The address of a server with the default host. */
export const urlOnPort = (port: number | string): string => `http://${defaultHost}:${port}`
export const defaultUrl = urlOnPort(defaultPort)
