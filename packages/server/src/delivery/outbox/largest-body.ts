/** What a receiver is spared. A larger event is kept, and its deliveries are there to be seen as failed. */
export const largestBodyBytes = 256 * 1024
