import { ApiError } from './api/error.ts';

/** Where a page gets stored files from, by their ids. */
export interface FileSource {
  /** Lets the browser save a file. Throws ApiError. */
  save: (id: string) => Promise<void>;
  /** The content of a picture, for display. Throws ApiError. */
  picture: (id: string) => Promise<Blob>;
}

/** How many pictures are kept, so that a list which is opened again does not load them again. */
const PICTURES_KEPT = 40;

interface FileCalls {
  /** The path of a file's route. */
  pathOf: (id: string, preview: boolean) => string;
  /** A ticket that replaces the token in one download of this path. */
  ticket: (path: string) => Promise<string>;
  /** The token for the header `authorization`. */
  token: () => string | null;
}

/** Files of one route of the contract that is marked `download` and has a `preview`. */
export function fileSource({ pathOf, ticket, token }: FileCalls): FileSource {
  const pictures = new Map<string, Promise<Blob>>();
  return {
    async save(id) {
      const path = pathOf(id, false);
      saveFrom(path, await ticket(path));
    },
    picture(id) {
      const loading = pictures.get(id) ?? loadFile(pathOf(id, true), token());
      // The newest is last.
      pictures.delete(id);
      pictures.set(id, loading);
      const [oldest] = pictures.keys();
      if (pictures.size > PICTURES_KEPT && oldest !== undefined) pictures.delete(oldest);
      loading.catch(() => pictures.delete(id));
      return loading;
    },
  };
}

/** Lets the browser save the file at a path; a ticket replaces the token. */
export function saveFrom(path: string, ticket: string): void {
  const link = document.createElement('a');
  link.href = `${path}${path.includes('?') ? '&' : '?'}${new URLSearchParams({ ticket }).toString()}`;
  link.download = '';
  link.click();
}

async function loadFile(path: string, token: string | null): Promise<Blob> {
  let response: Response;
  try {
    response = await fetch(path, { headers: token === null ? {} : { authorization: token } });
    if (response.ok) return await response.blob();
  } catch (error) {
    throw new ApiError(0, 'UNREACHABLE', String(error));
  }
  throw ApiError.of(response.status, (await response.json().catch(() => ({}))) as object);
}
