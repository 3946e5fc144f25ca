import { text } from './i18n/index.ts';
import { toast, type Words } from './notify.ts';

/** Copies, and says whether it worked. Browsers allow it to secure pages, in answer to a click. */
export async function copyText(content: string, copied: Words = () => text('copied')): Promise<void> {
  try {
    await navigator.clipboard.writeText(content);
    toast('success', copied);
  } catch {
    toast('error', () => text('copyFailed'));
  }
}
