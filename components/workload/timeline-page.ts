/** Entries of a timeline that its page asks for first, on the server too: one cache entry for both. */
export const FIRST_ENTRIES = 20
