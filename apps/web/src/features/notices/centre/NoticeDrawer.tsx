import { lengthWords, type Notice } from '@rmeet/contract';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { language, useTexts } from '../../../lib/i18n/index.ts';
import { ask } from '../../../lib/notify.ts';
import { formatTime } from '../../../lib/time.ts';
import { Button } from '../../../ui/Button.tsx';
import { IconButton } from '../../../ui/IconButton.tsx';
import { SideDrawer } from '../../../ui/SideDrawer.tsx';
import { EmptyState, ErrorState, Loading } from '../../../ui/states.tsx';
import { merge } from './merge.ts';
import { ALL, useClear, useMarkRead, useNotices } from './queries.ts';

interface NoticeDrawerProps {
  open: boolean;
  unread: number;
  onClose: () => void;
}

/** The caller's notices about meetings: unread ones first, then read ones. */
export function NoticeDrawer({ open, unread, onClose }: NoticeDrawerProps) {
  const t = useTexts('centre');
  const mark = useMarkRead();
  return (
    <SideDrawer
      title={t('title')}
      open={open}
      onClose={onClose}
      testId="notice-drawer"
      help="notices"
      footer={
        unread > 0 && (
          <Button
            busy={mark.isPending && mark.variables === ALL}
            data-testid="notice-all-read"
            onClick={() => mark.mutate(ALL)}
          >
            {t('allRead')}
          </Button>
        )
      }
    >
      <NoticeList onClose={onClose} onRead={(id) => mark.mutate(id)} />
    </SideDrawer>
  );
}

// oxlint-disable-next-line max-lines-per-function -- plain JSX
function NoticeList({ onClose, onRead }: { onClose: () => void; onRead: (id: string) => void }) {
  const t = useTexts('centre');
  const [isUnreadOnly, setUnreadOnly] = useState(false);
  const { unread, read, isEmpty, isPending, isFetchingMore, hasMore, failed, retry, showMore } =
    useNoticeList(isUnreadOnly);
  const clear = useClear();
  const rows = (notices: readonly Notice[]) =>
    notices.map((one) => (
      <NoticeRow key={one.id} notice={one} onClose={onClose} onRead={onRead} onClear={(id) => clear.mutate(id)} />
    ));
  const clearRead = async () => {
    if (
      await ask({
        title: t('clearRead'),
        text: t('clearReadText'),
        okText: t('clearReadOk'),
        cancelText: t('clearReadNot'),
        danger: true,
      })
    )
      clear.mutate(ALL);
  };

  if (failed) return <ErrorState retry={retry} />;
  if (isPending) return <Loading />;
  return (
    <div className="notice-centre">
      <label className="notice-filter">
        <input
          type="checkbox"
          checked={isUnreadOnly}
          data-testid="notice-unread-only"
          onChange={({ target }) => setUnreadOnly(target.checked)}
        />
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
          <div className="notice-read-head">
            <h3 id="notice-read-title">{t('read')}</h3>
            <Button
              kind="quiet"
              busy={clear.isPending && clear.variables === ALL}
              data-testid="notice-clear-read"
              onClick={() => void clearRead()}
            >
              {t('clearRead')}
            </Button>
          </div>
          <ul>{rows(read)}</ul>
        </section>
      )}
      {hasMore && (
        <Button busy={isFetchingMore} data-testid="notice-more" onClick={() => void showMore()}>
          {t('more')}
        </Button>
      )}
    </div>
  );
}

/** The unread notices, followed by the read ones. */
function useNoticeList(isUnreadOnly: boolean) {
  const fresh = useNotices(true);
  const all = useNotices(false);
  const recordsOf = ({ data }: typeof all): Notice[] => data?.pages.flatMap(({ records }) => records) ?? [];
  const { unread, read: known } = merge(recordsOf(fresh), recordsOf(all));
  const read = isUnreadOnly ? [] : known;
  const isEmpty = fresh.isSuccess && all.isSuccess && unread.length + read.length === 0;
  const failed = [fresh, all].find((one) => one.isError && !one.data);
  const totalOf = ({ data }: typeof all): number => data?.pages.at(-1)?.total ?? 0;
  const hasMoreRead = !isUnreadOnly && all.hasNextPage && read.length < totalOf(all) - totalOf(fresh);
  const showMore = async () => {
    if (fresh.hasNextPage) {
      await fresh.fetchNextPage();
      return;
    }
    // Unread notices are already shown: skip to the next read one.
    let next = await all.fetchNextPage();
    while (next.hasNextPage && next.data?.pages.at(-1)?.records.every(({ readAt }) => readAt === null) === true)
      next = await all.fetchNextPage();
  };
  return {
    unread,
    read,
    isEmpty,
    isPending: fresh.isPending || all.isPending,
    isFetchingMore: fresh.isFetchingNextPage || all.isFetchingNextPage,
    hasMore: fresh.hasNextPage || hasMoreRead,
    failed: failed !== undefined,
    retry: () => void Promise.all([fresh.refetch(), all.refetch()]),
    showMore,
  };
}

interface NoticeRowProps {
  notice: Notice;
  onClose: () => void;
  onRead: (id: string) => void;
  onClear: (id: string) => void;
}

/** Moves the focus from a row that is about to disappear to its neighbour, or to the drawer if it is the last one. */
function focusNextRow(button: HTMLElement): void {
  const row = button.closest('li');
  const neighbour = row?.nextElementSibling ?? row?.previousElementSibling;
  const next = neighbour?.querySelector('button') ?? button.closest('.notice-centre')?.querySelector('input');
  next?.focus();
}

function NoticeRow({ notice, onClose, onRead, onClear }: NoticeRowProps) {
  const t = useTexts('centre');
  const navigate = useNavigate();
  const { id, kind, meetId, subject, host, startTime, duration, rooms, approval, createdAt, readAt } = notice;
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
            // Approvers open the queue, filtered by the meeting.
            void navigate(
              kind === 'approvalAsked' ? `/approvals?q=${encodeURIComponent(subject)}` : `/myMeeting?open=${meetId}`,
            );
          }}
        >
          {subject}
        </button>
        <p>{t(`kind.${kind}`, { host, approver: approval?.approver ?? '' })}</p>
        {approval !== null && approval.note !== '' && (
          <p className="notice-note">{t('note', { note: approval.note })}</p>
        )}
        <p>
          {t('when', { time: formatTime(startTime), length: lengthWords(duration, language()) })}
          {approval !== null && approval.meetings > 1 && ` · ${t('meetings', { count: approval.meetings })}`}
          {rooms.length > 0 && ` · ${rooms.join(', ')}`}
        </p>
        <small>{t('told', { time: formatTime(createdAt) })}</small>
      </div>
      <div className="notice-acts">
        {isUnread && (
          <IconButton
            icon="check"
            label={t('markRead', { subject })}
            title={t('markReadShort')}
            data-testid="notice-mark"
            onClick={() => onRead(id)}
          />
        )}
        <IconButton
          icon="close"
          label={t('clear', { subject })}
          title={t('clearShort')}
          data-testid="notice-clear"
          onClick={({ currentTarget }) => {
            focusNextRow(currentTarget);
            onClear(id);
          }}
        />
      </div>
    </li>
  );
}
