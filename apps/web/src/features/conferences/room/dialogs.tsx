import type { Call } from '../../../call/index.ts';
import type { ConferenceState } from '@rmeet/contract';
import { reportError } from '../../../lib/api/index.ts';
import { useLanguage } from '../../../lib/i18n/index.ts';
import { toast } from '../../../lib/notify.ts';
import { Button } from '../../../ui/Button.tsx';
import { invitationLink } from '../../../lib/invitationLink.ts';
import { linkWithKey, meetingKey } from '../../../lib/meetingKeys.ts';
import { useT } from '../texts.ts';
import { Dialog } from '../../../ui/Dialog.tsx';

/** Leave, or end the meeting for everyone; only users who may end it see this. */
export function LeaveDialog({ call, onClose }: { call: Call; onClose: () => void }) {
  const t = useT();
  return (
    <Dialog title={t('leave.title')} testId="leave-dialog" onClose={onClose}>
      <p className="dialog-text">{t('leave.hint')}</p>
      <div className="dialog-buttons">
        <Button data-testid="leave-cancel" onClick={onClose}>
          {t('leave.cancel')}
        </Button>
        <Button data-testid="leave-only" onClick={() => void call.leave()}>
          {t('leave.leave')}
        </Button>
        <Button kind="danger" data-testid="leave-end-all" onClick={() => void call.end().catch(reportError)}>
          {t('leave.endAll')}
        </Button>
      </div>
    </Dialog>
  );
}

/** Link, number and password, ready to be copied. */
export function InviteDialog({
  conference,
  onClose,
}: {
  conference: Omit<ConferenceState, 'messages'>;
  onClose: () => void;
}) {
  const t = useT();
  const language = useLanguage();
  const { invitation, subject, numericId: number } = conference;
  if (invitation === null) return null;
  const link = invitationLink(invitation);
  const start = new Date(invitation.startTime);
  const end = new Date(start.getTime() + invitation.duration * 60_000);
  const time = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' }).formatRange(start, end);
  const password = invitation.password === '' ? '' : `${t('invite.password', { password: invitation.password })}\n`;
  const text = t('inviteMore.text', {
    subject,
    time,
    zone: zoneOf(start),
    host: invitation.hostName,
    number,
    password,
    link,
  }).concat(conference.control.e2ee === true ? `\n${t('encryption.inviteNote')}` : '');
  const copy = async (what: string, done: 'invite.linkCopied' | 'invite.textCopied') => {
    try {
      await navigator.clipboard.writeText(what);
      toast('success', () => t(done));
    } catch {
      toast('error', () => t('invite.copyFailed'));
    }
  };
  return (
    <Dialog title={t('invite.title')} testId="invite-dialog" onClose={onClose}>
      <p className="dialog-text">{t('invite.hint')}</p>
      <pre className="invite-text" data-testid="invite-text" tabIndex={0}>
        {text}
      </pre>
      <p className="invite-ways">
        <a href={`mailto:?${mailFields(subject, text)}`} data-testid="invite-mail">
          {t('inviteMore.mail')}
        </a>
        <a href={`sms:?&body=${encodeURIComponent(text)}`} data-testid="invite-sms">
          {t('inviteMore.sms')}
        </a>
      </p>
      {conference.me.role === 'host' && <FullLink conference={conference} link={link} onCopy={copy} />}
      <div className="dialog-buttons">
        <Button data-testid="invite-copy-link" onClick={() => void copy(link, 'invite.linkCopied')}>
          {t('invite.copyLink')}
        </Button>
        <Button kind="primary" data-testid="invite-copy-text" onClick={() => void copy(text, 'invite.textCopied')}>
          {t('invite.copyText')}
        </Button>
      </div>
    </Dialog>
  );
}

interface FullLinkProps {
  conference: Pick<ConferenceState, 'numericId' | 'control'>;
  link: string;
  onCopy: (what: string, done: 'invite.linkCopied') => Promise<void>;
}

/** Copies the link with the key of an end-to-end encrypted meeting. */
function FullLink({ conference: { numericId, control }, link, onCopy }: FullLinkProps) {
  const t = useT();
  const key = control.e2ee === true ? meetingKey(numericId) : null;
  if (key === null) return null;
  return (
    <div className="invite-full">
      <p className="dialog-text">{t('encryption.copyFullHint')}</p>
      <Button data-testid="invite-copy-full" onClick={() => void onCopy(linkWithKey(link, key), 'invite.linkCopied')}>
        {t('encryption.copyFull')}
      </Button>
    </div>
  );
}

/** The time zone of the times shown, for readers elsewhere: `GMT+8`. */
const zoneOf = (at: Date): string =>
  new Intl.DateTimeFormat('en', { timeZoneName: 'shortOffset' })
    .formatToParts(at)
    .find(({ type }) => type === 'timeZoneName')?.value ?? '';

/** The subject and text of a mail for the user's own mail program, which does not know `+` for a space. */
const mailFields = (subject: string, body: string): string =>
  `subject=${encodeURIComponent(subject)}&body=${encodeURIComponent(body)}`;
