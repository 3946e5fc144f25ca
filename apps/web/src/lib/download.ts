import { api } from './api/index.ts';

/**
 * Lets the browser download the file of a route marked `download`, filter and all: its `path` as
 * `pathOf(contract.users.export, { query })` makes it. The ticket that stands in for the token is used up by it. Throws
 * ApiError when no ticket is given.
 */
export async function download(path: string): Promise<void> {
  const { ticket } = await api.downloads.ticket({ body: { path } });
  const link = document.createElement('a');
  link.href = `${path}${path.includes('?') ? '&' : '?'}${new URLSearchParams({ ticket }).toString()}`;
  link.download = '';
  link.click();
}
