import type { CurrentAnnouncement } from '@rmeet/contract';
import { useId, useState } from 'react';
import { useTexts } from '../../../lib/i18n/index.ts';
import { Button } from '../../../ui/Button.tsx';
import { Icon } from '../../../ui/icons.tsx';
import { SideDrawer } from '../../../ui/SideDrawer.tsx';
import { EmptyState, ErrorState, Loading } from '../../../ui/states.tsx';
import { AnnouncementLink, AnnouncementText } from '../AnnouncementText.tsx';
import { AnnouncementMeta } from './AnnouncementMeta.tsx';
import { ALL, useAnnouncements, useMarkRead } from './queries.ts';
import './announcements.css';

/** The current announcements, the newest first. Opening one marks it as read. */
export function AnnouncementDrawer({ open, onClose }: { open: boolean; onClose: () => void }) {
  const t = useTexts('announcements');
  const list = useAnnouncements();
  const mark = useMarkRead();
  const { data } = list;
  return (
    <SideDrawer
      title={t('title')}
      open={open}
      onClose={onClose}
      testId="announcements-drawer"
      help="start-page"
      footer={
        data !== undefined &&
        data.unread > 0 && (
          <Button
            busy={mark.isPending && mark.variables === ALL}
            data-testid="announcements-all-read"
            onClick={() => mark.mutate(ALL)}
          >
            {t('allRead')}
          </Button>
        )
      }
    >
      {list.isPending && <Loading />}
      {list.isError && !data && <ErrorState retry={() => void list.refetch()} />}
      {data?.records.length === 0 && <EmptyState picture="list" title={t('empty')} hint={t('emptyHint')} />}
      <ul className="announcements">
        {data?.records.map((one) => (
          <AnnouncementCard key={one.id} announcement={one} onRead={() => mark.mutate(one.id)} />
        ))}
      </ul>
    </SideDrawer>
  );
}

function AnnouncementCard({ announcement, onRead }: { announcement: CurrentAnnouncement; onRead: () => void }) {
  const t = useTexts('announcements');
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  const { title, body, url, important, readAt } = announcement;
  const isUnread = readAt === null;
  return (
    <li data-unread={isUnread} data-testid="announcement-row">
      <button
        type="button"
        className="announcement-open"
        aria-expanded={isOpen}
        aria-controls={id}
        data-testid="announcement-open"
        onClick={() => {
          setOpen(!isOpen);
          if (isUnread && !isOpen) onRead();
        }}
      >
        <span>
          {isUnread && <span className="visually-hidden">{t('unread')}</span>}
          {title}
        </span>
        <Icon name="down" />
      </button>
      <AnnouncementMeta announcement={announcement} />
      {important && <span className="announcement-important">{t('important')}</span>}
      <div id={id} hidden={!isOpen}>
        {isOpen && <AnnouncementText body={body} />}
        {isOpen && url !== '' && (
          <p className="announcement-more">
            <AnnouncementLink href={url}>{t('more')}</AnnouncementLink>
          </p>
        )}
      </div>
    </li>
  );
}
