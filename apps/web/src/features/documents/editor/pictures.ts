import { DOCUMENT_PICTURES, documents, pathOf } from '@rmeet/contract';
import { api } from '../../../lib/api/index.ts';
import { session } from '../../../lib/browser.ts';
import { fileSource, type FileSource } from '../../../lib/files.ts';

const KEPT_TYPES = new Set(['image/png', 'image/jpeg']);

/** The pictures of a document. */
export const picturesOf = (id: string): FileSource =>
  fileSource({
    token: () => session.token,
    pathOf: (fileId, preview) =>
      pathOf(documents.picture, { params: { id, fileId }, query: preview ? { preview: 'true' } : {} }),
    ticket: async (path) => (await api.downloads.ticket({ body: { path } })).ticket,
  });

/** A picture as PNG, unless it has a type that files can contain. @throws Error if the browser cannot show it */
async function asStored(file: File): Promise<File> {
  if (KEPT_TYPES.has(file.type)) return file;
  const bitmap = await createImageBitmap(file);
  const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
  canvas.getContext('2d')?.drawImage(bitmap, 0, 0);
  bitmap.close();
  const blob = await canvas.convertToBlob({ type: 'image/png' });
  return new File([blob], `${file.name.replace(/\.\w+$/, '')}.png`, { type: 'image/png' });
}

/** Stores a picture and returns its id. @throws ApiError, Error if it is no picture */
export async function addPicture(id: string, file: File): Promise<string> {
  const stored = await asStored(file);
  if (stored.size > DOCUMENT_PICTURES.bytes) throw new Error('too large');
  return (await api.documents.addPicture({ params: { id }, body: {}, files: [stored] })).id;
}
