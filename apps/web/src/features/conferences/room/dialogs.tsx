import type { Call } from '../../../call/index.ts';
import type { ConferenceState } from '@rmeet/contract';
import { reportError } from '../../../lib/api/index.ts';
import { useLanguage } from '../../../lib/i18n/index.ts';
import { toast } from '../../../lib/notify.ts';
import { Button } from '../../../ui/Button.tsx';
import { invitationLink } from '../../../lib/invitationLink.ts';
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
export function InviteDialog({ conference, onClose }: { conference: ConferenceState; onClose: () => void }) {
  const t = useT();
  const language = useLanguage();
  const { invitation, subject, numericId: number } = conference;
  if (invitation === null) return null;
  const link = invitationLink(invitation);
  const time = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' }).format(
    new Date(invitation.startTime),
  );
  const password = invitation.password === '' ? '' : `${t('invite.password', { password: invitation.password })}\n`;
  const text = t('invite.text', { subject, time, number, password, link });
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
