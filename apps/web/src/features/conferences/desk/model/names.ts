/** The name of a terminal, including terminals that have left; null if unknown. */
export type NameOf = (termId: string) => string | null;
