import type { Page } from '@rmeet/contract';

const LARGEST = 200;

/** Searches a list, page by page, for the row with an id; undefined if it no longer exists. */
export async function findRow<Row extends { id: string }>(
  fetchPage: (paging: { current: number; size: number }) => Promise<Page<Row>>,
  id: string,
): Promise<Row | undefined> {
  for (let current = 1; ; current++) {
    const { records } = await fetchPage({ current, size: LARGEST });
    const found = records.find((row) => row.id === id);
    if (found || records.length < LARGEST) return found;
  }
}
