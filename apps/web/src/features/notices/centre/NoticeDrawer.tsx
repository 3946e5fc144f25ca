import type { Notice } from '@rmeet/contract';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { useTexts } from '../../../lib/i18n/index.ts';
import { formatTime } from '../../../lib/time.ts';
import { Button } from '../../../ui/Button.tsx';
import { IconButton } from '../../../ui/IconButton.tsx';
import { SideDrawer } from '../../../ui/SideDrawer.tsx';
import { EmptyState, ErrorState, Loading } from '../../../ui/states.tsx';
import { ALL, useMarkRead, useNotices } from './queries.ts';

interface NoticeDrawerProps {
  open: boolean;
  unread: number;
  onClose: () => void;
}

/** What the caller was told of meetings: what is unread first, then what was read. */
export function NoticeDrawer({ open, unread, onClose }: NoticeDrawerProps) {
  const t = useTexts('centre');
  const mark = useMarkRead();
  return (
    <SideDrawer
      title={t('title')}
      open={open}
      onClose={onClose}
      testId="notice-drawer"
      footer={
        unread > 0 && (
          <Button busy={mark.isPending && mark.variables === ALL} data-testid="notice-all-read" onClick={() => mark.mutate(ALL)}>
            {t('allRead')}
          </Button>
        )
      }
    >
      <NoticeList onClose={onClose} onRead={(id) => mark.mutate(id)} />
    </SideDrawer>
  );
}

function NoticeList({ onClose, onRead }: { onClose: () => void; onRead: (id: string) => void }) {
  const t = useTexts('centre');
  const [isUnreadOnly, setUnreadOnly] = useState(false);
  const fresh = useNotices(true);
  const all = useNotices(false);
  const shown = isUnreadOnly ? fresh : all;
  const unread = fresh.data?.pages.flatMap(({ records }) => records) ?? [];
  const read = isUnreadOnly ? [] : (all.data?.pages.flatMap(({ records }) => records) ?? []).filter(({ readAt }) => readAt !== null);
  const isEmpty = fresh.isSuccess && all.isSuccess && unread.length + read.length === 0;
  const failed = [fresh, all].find((one) => one.isError && !one.data);
  const more = fresh.hasNextPage ? fresh : shown.hasNextPage ? shown : null;
  const rows = (notices: readonly Notice[]) => notices.map((one) => <NoticeRow key={one.id} notice={one} onClose={onClose} onRead={onRead} />);

  if (failed) return <ErrorState retry={() => void Promise.all([fresh.refetch(), all.refetch()])} />;
  if (fresh.isPending || all.isPending) return <Loading />;
  return (
    <div className="notice-centre">
      <label className="notice-filter">
        <input type="checkbox" checked={isUnreadOnly} data-testid="notice-unread-only" onChange={({ target }) => setUnreadOnly(target.checked)} />
        {t('unreadOnly')}
      </label>
      {isEmpty && <EmptyState title={t(isUnreadOnly ? 'emptyUnread' : 'empty')} hint={t('emptyHint')} picture="list" />}
      {unread.length > 0 && (
        <section aria-labelledby="notice-unread-title">
          <h3 id="notice-unread-title">{t('unread')}</h3>
          <ul>{rows(unread)}</ul>
        </section>
      )}
      {read.length > 0 && (
        <section aria-labelledby="notice-read-title">
          <h3 id="notice-read-title">{t('read')}</h3>
          <ul>{rows(read)}</ul>
        </section>
      )}
      {more && (
        <Button busy={more.isFetchingNextPage} data-testid="notice-more" onClick={() => void more.fetchNextPage()}>
          {t('more')}
        </Button>
      )}
    </div>
  );
}

function NoticeRow({ notice, onClose, onRead }: { notice: Notice; onClose: () => void; onRead: (id: string) => void }) {
  const t = useTexts('centre');
  const navigate = useNavigate();
  const { id, kind, meetId, subject, host, startTime, duration, rooms, createdAt, readAt } = notice;
  const isUnread = readAt === null;
  return (
    <li data-unread={isUnread} data-testid="notice-row">
      <div>
        <button
          type="button"
          className="notice-open"
          data-testid="notice-open"
          onClick={() => {
            if (isUnread) onRead(id);
            onClose();
            void navigate(`/myMeeting?open=${meetId}`);
          }}
        >
          {subject}
        </button>
        <p>{t(`kind.${kind}`, { host })}</p>
        <p>
          {t('when', { time: formatTime(startTime), minutes: duration })}
          {rooms.length > 0 && ` · ${rooms.join(', ')}`}
        </p>
        <small>{t('told', { time: formatTime(createdAt) })}</small>
      </div>
      {isUnread && <IconButton icon="approval" label={t('markRead', { subject })} title={t('markReadShort')} data-testid="notice-mark" onClick={() => onRead(id)} />}
    </li>
  );
}
