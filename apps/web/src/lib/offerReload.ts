import { chunkErrorOf } from './chunks.ts';
import { reloadKeepingDrafts } from './keptDrafts.ts';
import { text } from './i18n/index.ts';
import { ask } from './notify.ts';

/**
 * Offers to load the app again when a part of it did not load that no page was waiting for, as the words of another
 * language.
 */
export function offerReloadOnMissingChunks(): void {
  window.addEventListener('unhandledrejection', ({ reason }) => {
    if (chunkErrorOf(reason) === null) return;
    const offer = async () => {
      const yes = await ask({
        title: text('errors.chunkFailed'),
        text: text('errors.chunkHint'),
        okText: text('errors.reloadKeeping'),
        cancelText: text('cancel'),
      });
      if (yes) reloadKeepingDrafts();
    };
    void offer();
  });
}
