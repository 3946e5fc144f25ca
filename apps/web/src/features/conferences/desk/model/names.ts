/** The name of a terminal, also of one that has left; null if unknown. */
export type NameOf = (termId: string) => string | null;
