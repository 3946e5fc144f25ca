import { isApiError } from '../../../lib/api/index.ts';
import { useTexts } from '../../../lib/i18n/index.ts';
import { EmptyState, ErrorState } from '../../../ui/states.tsx';

/** A meeting that cannot be shown: gone, or not fetched. */
export function Missing({ error, retry }: { error: unknown; retry: () => void }) {
  const t = useTexts('meetings');
  return isApiError(error, 'NOT_FOUND', 'INVALID_INPUT') ? (
    <EmptyState title={t('detail.gone')} hint={t('detail.goneHint')} />
  ) : (
    <ErrorState retry={retry} />
  );
}
