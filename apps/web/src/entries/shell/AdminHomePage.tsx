import { useTexts } from '../../lib/i18n/index.ts';
import { EmptyState } from '../../ui/states.tsx';

/** What an account sees that has no platform screen to go to. */
export function AdminHomePage() {
  const t = useTexts('common');
  return <EmptyState title={t('adminHome.title')} hint={t('adminHome.hint')} />;
}
