import { chunkErrorOf } from './chunks.ts';
import { reloadKeepingDrafts } from './keptDrafts.ts';
import { text } from './i18n/index.ts';
import { ask } from './notify.ts';

/**
 * Offers to reload the app if a part that no page was waiting for failed to load, for example the texts of another
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
