import { Link } from 'react-router';
import { useTexts } from '../lib/i18n/index.ts';
import { MessagePage } from '../ui/states.tsx';

export function NotFoundPage() {
  const t = useTexts('common');
  return (
    <MessagePage title={t('notFound.title')} hint={t('notFound.hint')}>
      <Link to="/">{t('notFound.home')}</Link>
    </MessagePage>
  );
}
