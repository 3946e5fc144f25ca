import { Link } from 'react-router';
import { useTexts } from '../../lib/i18n/index.ts';
import { MessagePage } from '../../ui/states.tsx';

/**
 * `/loading`: the guard stores what the link passes and continues, so this page is only visible for a link without a
 * sign-in.
 */
export function HandOverPage() {
  const t = useTexts('common');
  return (
    <MessagePage title={t('handOver.title')} hint={t('handOver.hint')}>
      <Link to="/login">{t('handOver.login')}</Link>
    </MessagePage>
  );
}
