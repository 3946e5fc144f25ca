import { useTexts } from '../lib/i18n/index.ts';
import { MessagePage } from '../ui/states.tsx';

/** Shown to a signed-in user without the rights of this app. */
export function NotAllowedPage() {
  const t = useTexts('common');
  return (
    <MessagePage title={t('notAllowed.title')} hint={t('notAllowed.hint')}>
      <a href="/">{t('shell.toUser')}</a>
    </MessagePage>
  );
}
