/** koffi, or why it cannot be loaded here: its prebuilt binary is an optional package. */
import { createRequire } from 'node:module';

type Koffi = typeof import('koffi');

function load(): { koffi: Koffi | undefined; failure: string } {
  try {
    return { koffi: createRequire(import.meta.url)('koffi') as Koffi, failure: '' };
  } catch (error) {
    return { koffi: undefined, failure: error instanceof Error ? error.message : String(error) };
  }
}

export const { koffi, failure } = load();
