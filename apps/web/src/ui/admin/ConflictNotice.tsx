import { useTexts } from '../../lib/i18n/index.ts';
import type { Conflict } from './useDraft.ts';
import './texts.ts';
import './form.css';

/** The label of a field, and its value in a draft as text. */
export type Describe<D> = (field: keyof D, draft: D) => { label: string; value: string };

/** Tells the user what another user changed in the meantime. */
export function ConflictNotice<D extends object>({
  conflict: { fields, before, now },
  describe,
}: {
  conflict: Conflict<D>;
  describe: Describe<D>;
}) {
  const t = useTexts('admin');
  return (
    <div className="conflict-notice" role="alert" data-testid="conflict-notice">
      <strong>{t('conflict.title')}</strong>
      <p>{t('conflict.text')}</p>
      <ul>
        {fields.map((field) => {
          const { label, value } = describe(field, now);
          return (
            <li key={String(field)}>
              {t('conflict.line', {
                field: label,
                from: describe(field, before).value || t('conflict.none'),
                to: value || t('conflict.none'),
              })}
            </li>
          );
        })}
      </ul>
    </div>
  );
}
