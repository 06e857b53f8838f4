import { vi } from 'vitest'

vi.useFakeTimers()
