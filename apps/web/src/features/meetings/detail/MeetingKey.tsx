import type { Meeting } from '@rmeet/contract';
import { useId, useState } from 'react';
import { session } from '../../../lib/browser.ts';
import { copyText } from '../../../lib/clipboard.ts';
import { useTexts } from '../../../lib/i18n/index.ts';
import { invitationLink } from '../../../lib/invitationLink.ts';
import { keepMeetingKey, linkWithKey, meetingKey, newMeetingKey } from '../../../lib/meetingKeys.ts';
import { ask } from '../../../lib/notify.ts';
import { Button } from '../../../ui/Button.tsx';
import { mayInvite } from '../invitation.ts';

/** Whether the user hosts the meeting, or stands in for its host. */
function isHostOf({ host, granted }: Pick<Meeting, 'host' | 'granted'>): boolean {
  const userId = session.user?.id;
  return host.userId === userId || granted.some((one) => one.userId === userId);
}

/** A link with the key of the meeting if it is encrypted, this browser has the key, and the user is a host. */
export function linkForHost(meeting: Meeting, link: string): string {
  const key = meeting.e2ee && isHostOf(meeting) ? meetingKey(meeting.numericId) : null;
  return key === null ? link : linkWithKey(link, key);
}

/** The full link of an end-to-end encrypted meeting, for its host; or a new key, if this browser has none. */
export function MeetingKey({ meeting }: { meeting: Meeting }) {
  return meeting.e2ee && isHostOf(meeting) && mayInvite(meeting) ? <HostKey meeting={meeting} /> : null;
}

function HostKey({ meeting: { numericId, config, guestUrl } }: { meeting: Meeting }) {
  const t = useTexts('meetings');
  const common = useTexts('common');
  const id = useId();
  const [key, setKey] = useState(() => meetingKey(numericId));
  const create = async () => {
    const isSure = await ask({
      title: t('encryption.createTitle'),
      text: t('encryption.createText'),
      okText: t('encryption.create'),
      cancelText: common('cancel'),
    });
    if (!isSure) return;
    const made = newMeetingKey();
    keepMeetingKey(numericId, made);
    setKey(made);
  };
  return (
    <section aria-labelledby={id} data-testid="meeting-key">
      <h3 id={id}>{t('encryption.linkTitle')}</h3>
      <p className="meeting-detail-note">{t(key === null ? 'encryption.noKey' : 'encryption.linkHint')}</p>
      <div className="meeting-detail-copy">
        {key === null ? (
          <Button data-testid="key-create" onClick={() => void create()}>
            {t('encryption.create')}
          </Button>
        ) : (
          <Button
            data-testid="full-link-copy"
            onClick={() =>
              void copyText(linkWithKey(invitationLink({ config, guestUrl }), key), () => t('encryption.copied'))
            }
          >
            {t('encryption.copyFull')}
          </Button>
        )}
      </div>
    </section>
  );
}
