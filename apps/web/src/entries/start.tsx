import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode, Suspense, type ReactNode } from 'react';
import { createRoot } from 'react-dom/client';
import { HashRouter } from 'react-router';
import { followOtherTabs, session } from '../lib/browser.ts';
import { startI18n } from '../lib/i18n/index.ts';
import { takeKeysFromAddress } from '../lib/meetingKeys.ts';
import { offerReloadOnMissingChunks } from '../lib/offerReload.ts';
import { isOpenedOffline, registerServiceWorker } from '../lib/serviceWorker.ts';
import { followSignOut } from '../lib/signOut.ts';
import { queryClient } from '../lib/query.ts';
import { Notices } from '../ui/Notices.tsx';
import { Proof } from '../ui/Proof.tsx';
import { OfflinePage } from '../ui/OfflinePage.tsx';
import { ScreenFallback, holdFallback } from '../ui/screenFallback.tsx';
import { CrashGuard } from '../ui/states.tsx';
import '../ui/base.css';

/** Starts one of the three apps with its routes. */
export async function start(routes: ReactNode): Promise<void> {
  // public/compat.js has informed the user that this browser cannot run the app.
  if (document.documentElement.dataset['outdated'] !== undefined) return;
  takeKeysFromAddress();
  session.restore();
  followOtherTabs();
  followSignOut();
  offerReloadOnMissingChunks();
  registerServiceWorker();
  await startI18n(session.user?.locale);
  const root = document.querySelector('#root');
  if (!root) throw new Error('the page has no #root');
  holdFallback();
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <HashRouter>
          <CrashGuard>
            {isOpenedOffline() ? <OfflinePage /> : <Suspense fallback={<ScreenFallback />}>{routes}</Suspense>}
          </CrashGuard>
        </HashRouter>
        <Notices />
        <Proof />
      </QueryClientProvider>
    </StrictMode>,
  );
}
