import { StorageUnavailable, type Storage } from './storage.ts';

/**
 * Moves every file. Each is removed from its old place only once it is in the new one, so an interrupted move is simply
 * run again. Returns how many were moved.
 */
export async function moveFiles(from: Storage, to: Storage): Promise<number> {
  const files: { key: string; size: number }[] = [];
  for await (const file of from.list()) files.push(file);
  for (const { key, size } of files) {
    await to.put(key, await from.get(key));
    const stored = await to.stat(key);
    if (stored?.size !== size) throw new StorageUnavailable(`${key} was not stored completely`);
    await from.delete(key);
  }
  return files.length;
}
