import { defaultHost } from '../core/host-name.ts'

// What commands and the server assume when no flag and no variable says otherwise.

export const defaultData = './.data'
export const defaultPort = 8080
export const defaultUrl = `http://${defaultHost}:${defaultPort}`
