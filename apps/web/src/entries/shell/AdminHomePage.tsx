import { useTexts } from '../../lib/i18n/index.ts';
import { EmptyState } from '../../ui/states.tsx';

/** Shown to an account that may open no platform page. */
export function AdminHomePage() {
  const t = useTexts('common');
  return (
    <>
      <h1 className="visually-hidden">{t('adminHome.title')}</h1>
      <EmptyState title={t('adminHome.empty')} hint={t('adminHome.hint')} />
    </>
  );
}
