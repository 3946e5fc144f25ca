import { lazy, Suspense, useState } from 'react';
import { loadChunk } from '../../../lib/chunks.ts';
import { useTexts } from '../../../lib/i18n/index.ts';
import { IconButton } from '../../../ui/IconButton.tsx';
import { ThemeProvider } from '../../../ui/ThemeProvider.tsx';
import { useUnread } from './queries.ts';
import './texts.ts';
import './bell.css';

// The drawer loads antd, which the shell does without.
const NoticeDrawer = lazy(() =>
  loadChunk(async () => ({ default: (await import('./NoticeDrawer.tsx')).NoticeDrawer })),
);

/** Maximum count shown. */
const MANY = 99;

/** The bell in the header: the number of unread notices, and the button that opens them. */
export function NoticeBell({ accent }: { accent: string | null }) {
  const t = useTexts('centre');
  const unread = useUnread();
  const [open, setOpen] = useState(false);
  const [wasOpened, setWasOpened] = useState(false);
  return (
    <span className="notice-bell">
      <IconButton
        icon="bell"
        label={unread > 0 ? t('bellUnread', { count: unread }) : t('bell')}
        aria-haspopup="dialog"
        data-testid="notice-bell"
        onClick={() => {
          setOpen(true);
          setWasOpened(true);
        }}
      />
      {unread > 0 && (
        <span className="notice-bell-count" aria-hidden="true" data-testid="notice-unread">
          {unread > MANY ? `${MANY}+` : unread}
        </span>
      )}
      <span className="visually-hidden" role="status">
        {unread > 0 ? t('bellUnread', { count: unread }) : ''}
      </span>
      {wasOpened && (
        <Suspense fallback={null}>
          <ThemeProvider accent={accent}>
            <NoticeDrawer open={open} unread={unread} onClose={() => setOpen(false)} />
          </ThemeProvider>
        </Suspense>
      )}
    </span>
  );
}
