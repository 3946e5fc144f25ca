import { useEffect } from 'react';
import { useTexts } from '../lib/i18n/index.ts';
import { Button } from './Button.tsx';
import { MessagePage } from './states.tsx';

/** Interval between two attempts to reach the server, ms. */
const INTERVAL = 5_000;

/** Shown when the app was opened without a server. Loads the app as soon as the server answers. */
export function OfflinePage() {
  const t = useTexts('common');
  useEffect(() => {
    const reloadIfReachable = async () => {
      // A file of the server that the service worker does not keep.
      const response = await fetch('/manifest.webmanifest', { method: 'HEAD', cache: 'no-store' }).catch(() => null);
      if (response?.ok === true) location.reload();
    };
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') void reloadIfReachable();
    }, INTERVAL);
    const retry = () => void reloadIfReachable();
    addEventListener('online', retry);
    return () => {
      clearInterval(timer);
      removeEventListener('online', retry);
    };
  }, []);
  return (
    <MessagePage title={t('offline.title')} hint={t('offline.hint')}>
      <Button kind="primary" data-testid="offline-retry" onClick={() => location.reload()}>
        {t('retry')}
      </Button>
    </MessagePage>
  );
}
