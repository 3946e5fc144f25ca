/** One page of tiles; there is at least one page, and `page` is clamped to the valid range. */
export function pageOf<T>(
  items: readonly T[],
  perPage: number,
  page: number,
): { shown: readonly T[]; page: number; pages: number } {
  const pages = Math.max(1, Math.ceil(items.length / perPage));
  const current = Math.max(0, Math.min(page, pages - 1));
  return { shown: items.slice(current * perPage, (current + 1) * perPage), page: current, pages };
}
