import { isApiError } from '../../../lib/api/index.ts';
import { useTexts } from '../../../lib/i18n/index.ts';
import { EmptyState, ErrorState } from '../../../ui/states.tsx';

/** Shown if a meeting cannot be displayed: it no longer exists, or loading failed. */
export function Missing({ error, retry }: { error: unknown; retry: () => void }) {
  const t = useTexts('meetings');
  return isApiError(error, 'NOT_FOUND', 'INVALID_INPUT') ? (
    <EmptyState title={t('detail.gone')} hint={t('detail.goneHint')} />
  ) : (
    <ErrorState retry={retry} />
  );
}
