/** One row: the key that encrypts the secrets of this database. */
export interface EncryptionKeyTable {
  /** Always 1. */
  id: number
  /** Names the key without telling it. */
  fingerprint: string
  created_at: number
}
