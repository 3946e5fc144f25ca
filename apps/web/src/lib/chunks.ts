import { CHUNK_LOAD_TIMEOUT } from '@rmeet/contract';

/** A part of the app failed to load, usually because the network is unavailable or a newer version has replaced it. */
export class ChunkError extends Error {
  override readonly name = 'ChunkError';
  readonly kind: 'script' | 'style';

  constructor(kind: 'script' | 'style', options?: ErrorOptions) {
    super(kind === 'style' ? 'A CSS chunk could not be loaded.' : 'A script chunk could not be loaded.', options);
    this.kind = kind;
  }
}

/**
 * Loads a part of the app. Rejects with ChunkError if one of its scripts or stylesheets fails, or if loading takes more
 * than 120 s.
 */
export async function loadChunk<T>(load: () => Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const tooLate = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new ChunkError('script')), CHUNK_LOAD_TIMEOUT);
  });
  try {
    return await Promise.race([load(), tooLate]);
  } catch (error) {
    throw chunkErrorOf(error) ?? error;
  } finally {
    clearTimeout(timer);
  }
}

/** Recognises the errors of browsers and of Vite's loader for a chunk that failed to load; null for any other error. */
export function chunkErrorOf(error: unknown): ChunkError | null {
  if (error instanceof ChunkError) return error;
  const message = error instanceof Error ? error.message : '';
  if (message.startsWith('Unable to preload CSS')) return new ChunkError('style', { cause: error });
  // Chromium, Firefox, Safari.
  const isImport =
    /dynamically imported module|error loading dynamically imported|Importing a module script failed/i.test(message);
  return isImport ? new ChunkError('script', { cause: error }) : null;
}
