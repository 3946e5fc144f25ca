import { lazy } from 'react';
import { loadChunk } from '../../../lib/chunks.ts';
import { useTexts } from '../../../lib/i18n/index.ts';
import { DrawerButton } from '../../../ui/DrawerButton.tsx';
import { useUnread } from './queries.ts';
import './texts.ts';
import './bell.css';

// The drawer loads antd, which the shell does without.
const NoticeDrawer = lazy(() =>
  loadChunk(async () => ({ default: (await import('./NoticeDrawer.tsx')).NoticeDrawer })),
);

/** The bell in the header: the number of unread notices, and the button that opens them. */
export function NoticeBell({ accent }: { accent: string | null }) {
  const t = useTexts('centre');
  const unread = useUnread();
  return (
    <DrawerButton
      icon="bell"
      label={unread > 0 ? t('bellUnread', { count: unread }) : t('bell')}
      count={unread}
      testId="notice-bell"
      countTestId="notice-unread"
      accent={accent}
      renderDrawer={(open, close) => <NoticeDrawer open={open} unread={unread} onClose={close} />}
    />
  );
}
