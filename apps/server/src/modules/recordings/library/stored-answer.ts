import { AppError, FileAnswer } from '../../../platform/http/index.ts';
import { FileMissing, type Storage } from '../../../platform/storage/index.ts';

type Options = Omit<ConstructorParameters<typeof FileAnswer>[0], 'body'>;

/** The answer with a stored file, also in parts. @throws AppError NOT_FOUND if the storage does not have it */
export async function storedAnswer(storage: Storage, key: string, options: Options): Promise<FileAnswer> {
  const found = await storage.stat(key);
  if (!found) throw new AppError('NOT_FOUND');
  return new FileAnswer({
    ...options,
    body: {
      size: found.size,
      async open(range) {
        try {
          return await storage.get(key, range);
        } catch (error) {
          throw error instanceof FileMissing ? new AppError('NOT_FOUND') : error;
        }
      },
    },
  });
}
