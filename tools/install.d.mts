export const root: string;
export const projectNode: string;
export function staleReason(): string | null;
export function ensureInstalled(): void;
