import { AppError, FileAnswer } from '../../platform/http/index.ts';
import { FileMissing, type Storage } from '../../platform/storage/index.ts';

/** What is downloaded: a row of this module, or one of meeting_file. */
interface Downloaded {
  name: string;
  storageKey: string;
  /** Its MIME type, if pages may show it as a picture. */
  pictureType?: string | null;
}

/**
 * The answer with a file that people have sent. It is always saved, and its type is not told, so that nothing in it is
 * executed in the page; except with `preview`, for pictures of types that cannot contain code.
 *
 * @throws AppError NOT_FOUND if the storage no longer has it
 */
export async function answerWithFile(
  storage: Storage,
  { name, storageKey, pictureType = null }: Downloaded,
  { preview = false }: { preview?: boolean } = {},
): Promise<FileAnswer> {
  const found = await storage.stat(storageKey);
  if (!found) throw new AppError('NOT_FOUND');
  const isShown = preview && pictureType !== null;
  return new FileAnswer({
    name,
    type: isShown ? pictureType : 'application/octet-stream',
    inline: isShown,
    body: {
      size: found.size,
      async open(range) {
        try {
          return await storage.get(storageKey, range);
        } catch (error) {
          throw error instanceof FileMissing ? new AppError('NOT_FOUND') : error;
        }
      },
    },
  });
}
