import type { CurrentAnnouncement } from '@rmeet/contract';
import { useTexts } from '../../../lib/i18n/index.ts';
import { useProfile } from '../../../lib/profile.ts';
import { formatTime } from '../../../lib/time.ts';
import './announcements.css';

/** Who wrote an announcement, and since and until when it is shown. */
export function AnnouncementMeta({ announcement: { byPlatform, from, until } }: { announcement: CurrentAnnouncement }) {
  const t = useTexts('announcements');
  const tenant = useProfile()?.tenantName ?? '';
  return (
    <p className="announcement-meta">
      {byPlatform ? t('byPlatform') : tenant} · {formatTime(from)}
      {until !== null && ` · ${t('until', { time: formatTime(until) })}`}
    </p>
  );
}
