import { text } from './i18n/index.ts';
import { toast, type Words } from './notify.ts';

/** Copies text, and shows whether it worked. Browsers only allow this in secure contexts, in response to a click. */
export async function copyText(content: string, copied: Words = () => text('copied')): Promise<void> {
  try {
    await navigator.clipboard.writeText(content);
    toast('success', copied);
  } catch {
    toast('error', () => text('copyFailed'));
  }
}
