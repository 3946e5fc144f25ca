import { pathOf, recordings } from '@rmeet/contract';
import { useMutation } from '@tanstack/react-query';
import { ApiError, isApiError } from '../../../lib/api/index.ts';
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
    mutationFn: () => isMade(path),
    retry: (_, error) => isApiError(error, 'SERVICE_BUSY'),
    retryDelay: AGAIN,
    onSuccess: () => saveFile(path),
  });
  return (
    <p className="shared-save">
      <Button busy={save.isPending} data-testid="share-save" onClick={() => save.mutate()}>
        <Icon name="download" size={16} />
        {t(save.isPending ? 'shared.saving' : 'shared.save')}
      </Button>
      {hasWatermark && <span>{t('shared.saveHint')}</span>}
    </p>
  );
}

/** Throws ApiError until the file can be fetched; does not fetch it. */
async function isMade(path: string): Promise<void> {
  const stop = new AbortController();
  const response = await fetch(path, { signal: stop.signal });
  if (!response.ok) throw ApiError.of(response.status, (await response.json().catch(() => ({}))) as object);
  stop.abort();
}

function saveFile(path: string): void {
  const link = document.createElement('a');
  link.href = path;
  link.download = '';
  link.click();
}
