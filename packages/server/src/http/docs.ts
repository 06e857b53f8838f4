import type { Hono } from 'hono'
import type { App } from '../context.ts'

export function mountDocs(_hono: Hono, _app: App): void {}
