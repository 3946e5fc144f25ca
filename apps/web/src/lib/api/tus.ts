import { UPLOAD_PATH, type Envelope } from '@rmeet/contract';
import { session } from '../browser.ts';
import { language } from '../i18n/index.ts';
import { ApiError } from './error.ts';

/** Longer than the server waits for a piece; ms. */
const PIECE_TIMEOUT = 600_000;

interface TusRequest {
  method: 'HEAD' | 'PATCH' | 'DELETE';
  id: string;
  headers?: Record<string, string>;
  body?: Blob;
  signal?: AbortSignal;
  /** Called with the bytes of the body that have been sent. */
  onSent?: (bytes: number) => void;
}

/** Sends one request of tus 1.0; only XMLHttpRequest reports the progress of an upload. @throws ApiError */
function request({ method, id, headers = {}, body, signal, onSent }: TusRequest): Promise<XMLHttpRequest> {
  return new Promise((resolve, reject) => {
    const xhr = new XMLHttpRequest();
    const stop = () => xhr.abort();
    const settled = (settle: () => void) => {
      signal?.removeEventListener('abort', stop);
      settle();
    };
    xhr.open(method, `${UPLOAD_PATH}/${id}`);
    xhr.timeout = PIECE_TIMEOUT;
    const all = {
      'tus-resumable': '1.0.0',
      'accept-language': language(),
      authorization: session.token ?? '',
      ...headers,
    };
    for (const [name, value] of Object.entries(all)) xhr.setRequestHeader(name, value);
    xhr.upload.addEventListener('progress', ({ loaded }) => onSent?.(loaded));
    xhr.addEventListener('load', () =>
      settled(() => (xhr.status < 300 ? resolve(xhr) : reject(ApiError.of(xhr.status, envelopeOf(xhr.responseText))))),
    );
    for (const event of ['error', 'abort', 'timeout'] as const)
      xhr.addEventListener(event, () => settled(() => reject(new ApiError(0, 'UNREACHABLE'))));
    signal?.addEventListener('abort', stop, { once: true });
    if (signal?.aborted === true) reject(new ApiError(0, 'UNREACHABLE'));
    else xhr.send(body ?? null);
  });
}

function envelopeOf(text: string): Partial<Envelope> {
  try {
    return JSON.parse(text) as Partial<Envelope>;
  } catch {
    return {};
  }
}

const offsetIn = (answer: XMLHttpRequest): number => Number(answer.getResponseHeader('upload-offset'));

/** The bytes of an upload that the server has. @throws ApiError */
export async function receivedOf(id: string, signal: AbortSignal): Promise<number> {
  return offsetIn(await request({ method: 'HEAD', id, signal }));
}

/** Sends the piece of a file that begins at `offset`; returns where the next one begins. @throws ApiError */
export async function sendPiece(
  id: string,
  offset: number,
  piece: Blob,
  { signal, onSent }: { signal: AbortSignal; onSent: (bytes: number) => void },
): Promise<number> {
  const headers = { 'upload-offset': String(offset), 'content-type': 'application/offset+octet-stream' };
  // A type of the file itself would replace the header.
  const body = piece.slice(0, piece.size, '');
  return offsetIn(await request({ method: 'PATCH', id, headers, body, signal, onSent }));
}

/** Forgets an upload with what has arrived of it. @throws ApiError */
export async function cancelUpload(id: string): Promise<void> {
  await request({ method: 'DELETE', id });
}
