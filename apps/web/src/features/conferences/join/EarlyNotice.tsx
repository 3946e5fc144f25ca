import { useState } from 'react';
import { useLanguage } from '../../../lib/i18n/index.ts';
import { startTimeText } from '../../../lib/startTimeText.ts';
import { useT } from '../texts.ts';

/** Asks users who may open a meeting long before its time whether they want to. */
export function EarlyNotice({ start }: { start: Date }) {
  const t = useT();
  const locale = useLanguage();
  const [now] = useState(() => new Date());
  return (
    <div className="join-early" role="status" data-testid="join-early">
      <p className="join-early-title">{t('early.starts', { when: startTimeText(start, now, locale) })}</p>
      <p>{t('early.hint')}</p>
    </div>
  );
}
