import type { Announcement } from '@rmeet/contract';
import { useLanguage, useTexts } from '../../../lib/i18n/index.ts';
import { formatTime } from '../../../lib/time.ts';
import type { AdminColumn } from '../../../ui/admin/columns.ts';
import { RowLink } from '../../../ui/admin/RowLink.tsx';
import type { AnnouncementListState } from './listShape.ts';
import { audienceOf, timesOf } from './words.ts';

const MARKS: Record<Announcement['status'], string> = {
  draft: 'status-mark status-mark-off',
  scheduled: 'status-mark status-mark-invited',
  running: 'status-mark',
  over: 'status-mark status-mark-off',
  withdrawn: 'status-mark status-mark-gone',
};

type Column = AdminColumn<Announcement, AnnouncementListState['sort']>;

/** Those that are hidden until they are chosen. */
function useOptionalColumns(): Column[] {
  const t = useTexts('writing');
  const admin = useTexts('admin');
  return [
    {
      key: 'important',
      label: t('column.important'),
      width: 90,
      optional: true,
      render: ({ important }) => admin(important ? 'yes' : 'no'),
    },
    { key: 'author', label: t('column.author'), width: 120, optional: true, render: ({ author }) => author },
    {
      key: 'publishedAt',
      label: t('column.publishedAt'),
      width: 150,
      optional: true,
      render: ({ publishedAt }) => formatTime(publishedAt),
    },
  ];
}

/** The columns of the list of announcements. */
export function useAnnouncementColumns({
  onOpen,
  onReaders,
}: Record<'onOpen' | 'onReaders', (announcement: Announcement) => void>): Column[] {
  const t = useTexts('writing');
  const admin = useTexts('admin');
  const language = useLanguage();
  return [
    {
      key: 'title',
      label: t('column.title'),
      width: 240,
      always: true,
      render: (one) => <RowLink name={one.title} testId="announcement-title" onClick={() => onOpen(one)} />,
    },
    {
      key: 'status',
      label: admin('status.label'),
      width: 110,
      render: ({ status }) => (
        <span className={MARKS[status]} data-testid="announcement-status" data-status={status}>
          {t(`status.${status}`)}
        </span>
      ),
    },
    {
      key: 'audience',
      label: t('column.audience'),
      width: 200,
      render: ({ aimedAt }) => audienceOf(aimedAt, t, language),
    },
    { key: 'times', label: t('column.times'), width: 270, render: (one) => timesOf(one, t) },
    {
      key: 'read',
      label: t('column.read'),
      width: 120,
      render: (one) => (
        <RowLink
          name={t('readOf', { read: one.read.toLocaleString(language), aimed: one.aimed.toLocaleString(language) })}
          testId="announcement-read"
          onClick={() => onReaders(one)}
        />
      ),
    },
    ...useOptionalColumns(),
  ];
}
