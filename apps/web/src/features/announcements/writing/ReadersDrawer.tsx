import type { Announcement } from '@rmeet/contract';
import { useState } from 'react';
import { useLanguage, useTexts } from '../../../lib/i18n/index.ts';
import { formatTime } from '../../../lib/time.ts';
import { Button } from '../../../ui/Button.tsx';
import { Segments } from '../../../ui/Segments.tsx';
import { SideDrawer } from '../../../ui/SideDrawer.tsx';
import { EmptyState, ErrorState, Loading } from '../../../ui/states.tsx';
import { useReaders } from './queries.ts';
import './writing.css';

interface ReadersDrawerProps {
  announcement: Announcement;
  open: boolean;
  onClose: () => void;
}

/** Who of the people an announcement is aimed at has read it, and who has not. */
export function ReadersDrawer({ announcement, open, onClose }: ReadersDrawerProps) {
  const t = useTexts('writing');
  const language = useLanguage();
  const [shown, setShown] = useState<'read' | 'unread'>('read');
  const { title, read, aimed } = announcement;
  return (
    <SideDrawer title={t('readers.title', { title })} open={open} onClose={onClose} testId="readers-drawer">
      <p className="readers-count" data-testid="readers-count">
        {t('readers.count', { read: read.toLocaleString(language), aimed: aimed.toLocaleString(language) })}
      </p>
      <Segments
        label={t('readers.which')}
        values={['read', 'unread'] as const}
        chosen={shown}
        textOf={(value) => t(`readers.${value}`)}
        onChoose={setShown}
        testId="readers"
      />
      <ReaderList key={shown} id={announcement.id} read={shown === 'read'} />
    </SideDrawer>
  );
}

function ReaderList({ id, read }: { id: string; read: boolean }) {
  const t = useTexts('writing');
  const list = useReaders(id, read);
  const records = list.data?.pages.flatMap((page) => page.records) ?? [];
  if (list.isPending) return <Loading />;
  if (list.isError && !list.data) return <ErrorState retry={() => void list.refetch()} />;
  if (records.length === 0)
    return <EmptyState picture="list" title={t(read ? 'readers.noneRead' : 'readers.noneUnread')} />;
  return (
    <>
      <ul className="readers">
        {records.map(({ userId, name, department, tenantName, readAt }) => (
          <li key={userId} data-testid="reader-row">
            <div>
              <strong>{name}</strong>
              <small>{[tenantName, department].filter((part) => part !== '').join(' · ')}</small>
            </div>
            {readAt !== null && <time dateTime={readAt}>{formatTime(readAt)}</time>}
          </li>
        ))}
      </ul>
      {list.hasNextPage && (
        <Button busy={list.isFetchingNextPage} data-testid="readers-more" onClick={() => void list.fetchNextPage()}>
          {t('readers.more')}
        </Button>
      )}
    </>
  );
}
