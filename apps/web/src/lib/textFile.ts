import { ApiError } from './api/error.ts';
import { session } from './browser.ts';

/** The name in a header content-disposition (RFC 6266); empty if it has none. */
export function nameIn(disposition: string): string {
  const encoded = /filename\*=UTF-8''([^;]+)/i.exec(disposition)?.[1];
  if (encoded !== undefined) return decodeURIComponent(encoded);
  return /filename="([^"]*)"/i.exec(disposition)?.[1] ?? '';
}

/**
 * Lets the browser save a text file, a log or a report, which is fetched with the token in the header authorization.
 *
 * @throws ApiError
 */
export async function saveTextFile(path: string): Promise<void> {
  const { token } = session;
  let response: Response;
  let content: Blob | undefined;
  try {
    response = await fetch(path, { headers: token === null ? {} : { authorization: token } });
    if (response.ok) content = await response.blob();
  } catch (error) {
    throw new ApiError(0, 'UNREACHABLE', String(error));
  }
  if (!content) throw ApiError.of(response.status, (await response.json().catch(() => ({}))) as object);
  const link = document.createElement('a');
  const url = URL.createObjectURL(content);
  link.href = url;
  link.download = nameIn(response.headers.get('content-disposition') ?? '');
  link.click();
  URL.revokeObjectURL(url);
}
