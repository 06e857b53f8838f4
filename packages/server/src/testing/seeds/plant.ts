import type { Admin } from '../../admin/admin.ts'

/** What a server begins with. */
export type Seed = 'empty' | ((admin: Admin) => Promise<void>)

export async function plant(admin: Admin, seed: Seed): Promise<void> {
  if (typeof seed === 'function') await seed(admin)
}
