import { useTexts } from '../../../lib/i18n/index.ts';

/** Allowed or denied, as text and icon, because not everyone can see colours. */
export function Answer({ allowed }: { allowed: boolean }) {
  const t = useTexts('permissions');
  return (
    <span className="access-answer" data-allowed={allowed}>
      <span aria-hidden="true">{allowed ? '✓' : '✕'}</span>
      {t(allowed ? 'access.allowed' : 'access.denied')}
    </span>
  );
}
