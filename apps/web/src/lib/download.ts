import { api } from './api/index.ts';
import { saveFrom } from './files.ts';

/**
 * Lets the browser download the file of a route marked `download`, filters included: its `path` is built by
 * `pathOf(contract.users.export, { query })`. The download uses up the ticket that replaces the token. Throws ApiError
 * if no ticket is issued.
 */
export async function download(path: string): Promise<void> {
  const { ticket } = await api.downloads.ticket({ body: { path } });
  saveFrom(path, ticket);
}
