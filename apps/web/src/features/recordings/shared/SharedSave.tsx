import { pathOf, recordings } from '@rmeet/contract';
import { useMutation } from '@tanstack/react-query';
import { ApiError, isApiError, sentenceOf } from '../../../lib/api/index.ts';
import { language } from '../../../lib/i18n/index.ts';
import { Button } from '../../../ui/Button.tsx';
import { Icon } from '../../../ui/icons.tsx';
import { useT } from '../texts.ts';

/** How often the page asks whether the file is made; ms. */
const AGAIN = 1_000;

/** Saves the MP4 of a link that allows it; the file is made when it is first asked for. */
export function SharedSave({ view, hasWatermark }: { view: string; hasWatermark: boolean }) {
  const t = useT();
  const path = pathOf(recordings.sharedFile, { query: { view } });
  const save = useMutation({
    mutationFn: () => untilMade(path),
    onSuccess: () => saveFile(path),
    meta: { quiet: true },
  });
  return (
    <p className="shared-save">
      <Button busy={save.isPending} data-testid="share-save" onClick={() => save.mutate()}>
        <Icon name="download" size={16} />
        {t(save.isPending ? 'shared.saving' : 'shared.save')}
      </Button>
      {save.error && (
        <span className="shared-save-failed" role="alert" data-testid="share-save-failed">
          {sentenceOf(save.error) ?? t('shared.saveFailed')}
        </span>
      )}
      {hasWatermark && <span>{t('shared.saveHint')}</span>}
    </p>
  );
}

/** Waits for the file. The first call also makes one anew that could not be made before. */
async function untilMade(path: string): Promise<void> {
  for (let asked = `${path}&again=true`; ; asked = path) {
    try {
      return await isMade(asked);
    } catch (error) {
      if (!isApiError(error, 'SERVICE_BUSY')) throw error;
      await new Promise((resolve) => setTimeout(resolve, AGAIN));
    }
  }
}

/** Throws ApiError until the file can be fetched; does not fetch it. */
async function isMade(path: string): Promise<void> {
  const stop = new AbortController();
  const response = await fetch(path, { signal: stop.signal, headers: { 'accept-language': language() } });
  if (!response.ok) throw ApiError.of(response.status, (await response.json().catch(() => ({}))) as object);
  stop.abort();
}

function saveFile(path: string): void {
  const link = document.createElement('a');
  link.href = path;
  link.download = '';
  link.click();
}
