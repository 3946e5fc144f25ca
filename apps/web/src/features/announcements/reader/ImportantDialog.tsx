import type { CurrentAnnouncement } from '@rmeet/contract';
import { useTexts } from '../../../lib/i18n/index.ts';
import { Button } from '../../../ui/Button.tsx';
import { PageDialog } from '../../../ui/PageDialog.tsx';
import { AnnouncementLink, AnnouncementText } from '../AnnouncementText.tsx';
import { AnnouncementMeta } from './AnnouncementMeta.tsx';
import './announcements.css';

interface ImportantDialogProps {
  announcement: CurrentAnnouncement;
  /** Important announcements that follow. */
  left: number;
  onClose: () => void;
}

/** An important announcement over the page. */
export function ImportantDialog({ announcement, left, onClose }: ImportantDialogProps) {
  const t = useTexts('announcements');
  const { title, body, url } = announcement;
  return (
    <PageDialog title={title} testId="announcement-dialog" onClose={onClose}>
      <AnnouncementMeta announcement={announcement} />
      {/* Reached by keyboard, to scroll it. */}
      <div className="dialog-scroll" role="region" aria-label={t('text')} tabIndex={0}>
        <AnnouncementText body={body} />
        {url !== '' && (
          <p className="announcement-more">
            <AnnouncementLink href={url}>{t('more')}</AnnouncementLink>
          </p>
        )}
      </div>
      <div className="announcement-acts">
        <Button kind="primary" data-focus data-testid="announcement-understood" onClick={onClose}>
          {left > 0 ? t('next', { count: left }) : t('understood')}
        </Button>
      </div>
    </PageDialog>
  );
}
