import { useTexts } from '../../../lib/i18n/index.ts';

/** Allowed or denied, in a word and a sign; colour alone would not tell everybody. */
export function Answer({ allowed }: { allowed: boolean }) {
  const t = useTexts('permissions');
  return (
    <span className="access-answer" data-allowed={allowed}>
      <span aria-hidden="true">{allowed ? '✓' : '✕'}</span>
      {t(allowed ? 'access.allowed' : 'access.denied')}
    </span>
  );
}
