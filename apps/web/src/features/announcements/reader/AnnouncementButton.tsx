import { lazy } from 'react';
import { loadChunk } from '../../../lib/chunks.ts';
import { useTexts } from '../../../lib/i18n/index.ts';
import { DrawerButton } from '../../../ui/DrawerButton.tsx';
import { useAnnouncements, useLiveAnnouncements } from './queries.ts';
import '../texts.ts';

// The drawer loads antd, which the shell does without.
const AnnouncementDrawer = lazy(() =>
  loadChunk(async () => ({ default: (await import('./AnnouncementDrawer.tsx')).AnnouncementDrawer })),
);

/** The megaphone in the header: the number of unread announcements, and the button that opens them. */
export function AnnouncementButton({ accent }: { accent: string | null }) {
  const t = useTexts('announcements');
  useLiveAnnouncements();
  const unread = useAnnouncements().data?.unread ?? 0;
  return (
    <DrawerButton
      icon="megaphone"
      label={unread > 0 ? t('buttonUnread', { count: unread }) : t('button')}
      count={unread}
      testId="announcements-button"
      countTestId="announcements-unread"
      accent={accent}
      renderDrawer={(open, close) => <AnnouncementDrawer open={open} onClose={close} />}
    />
  );
}
