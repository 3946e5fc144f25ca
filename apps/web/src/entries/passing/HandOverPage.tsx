import { Link } from 'react-router';
import { useTexts } from '../../lib/i18n/index.ts';
import { MessagePage } from '../../ui/states.tsx';

/** `/loading`: the guard keeps what the link hands over and goes on, so only a link without a sign-in is seen here. */
export function HandOverPage() {
  const t = useTexts('common');
  return (
    <MessagePage title={t('handOver.title')} hint={t('handOver.hint')}>
      <Link to="/login">{t('handOver.login')}</Link>
    </MessagePage>
  );
}
