import { readdir } from 'node:fs/promises';
import { join, relative } from 'node:path';

const SRC = join(import.meta.dirname, '..', 'src');

/** Paths of all files under src with this ending, relative to src. */
export async function sourceFiles(ending: string): Promise<string[]> {
  const entries = await readdir(SRC, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && entry.name.endsWith(ending))
    .map((entry) => relative(SRC, join(entry.parentPath, entry.name)));
}

export const sourcePath = (path: string): string => join(SRC, path);

/** Web storage in memory. */
export class MemoryStorage {
  readonly #values = new Map<string, string>();

  getItem(key: string): string | null {
    return this.#values.get(key) ?? null;
  }

  setItem(key: string, value: string): void {
    this.#values.set(key, value);
  }

  removeItem(key: string): void {
    this.#values.delete(key);
  }

  get size(): number {
    return this.#values.size;
  }
}

/** Waits until `check` no longer throws; throws its last error after `within` ms. */
export async function eventually(check: () => void, within = 2_000): Promise<void> {
  const end = Date.now() + within;
  for (;;) {
    try {
      check();
      return;
    } catch (error) {
      if (Date.now() > end) throw error;
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }
}
