import type { ConferenceState } from '@rmeet/contract';
import type { Call } from '../../../../call/index.ts';
import { copyText } from '../../../../lib/clipboard.ts';
import { linkWithKey, meetingKey } from '../../../../lib/meetingKeys.ts';
import { Button } from '../../../../ui/Button.tsx';
import { Dialog } from '../../../../ui/Dialog.tsx';
import { useT } from '../../texts.ts';
import { InvitePeople } from './InvitePeople.tsx';
import { invitationFacts, invitationText } from './invitation.ts';
import './invite.css';

interface InviteDialogProps {
  call: Call;
  conference: Omit<ConferenceState, 'messages'>;
  onClose: () => void;
}

/** Invites and rings people, for those who lead the meeting; for all others, the invitation to pass on. */
export function InviteDialog({ call, conference, onClose }: InviteDialogProps) {
  const t = useT();
  const facts = invitationFacts(conference);
  if (facts === null) return null;
  const { can, role } = conference.me;
  // The server takes invitations from accounts only, and only they can search the organisation.
  const mayInvite = can.control && role !== 'guest';
  const text = invitationText(facts, t);
  return (
    <Dialog title={t('invite.title')} testId="invite-dialog" onClose={onClose}>
      {mayInvite && <InvitePeople call={call} />}
      <details className="invite-whole" open={!mayInvite}>
        <summary data-testid="invite-show">{t('inviting.show')}</summary>
        <pre className="invite-text" data-testid="invite-text" tabIndex={0}>
          {text}
        </pre>
        <p className="invite-ways">
          <a href={`mailto:?${mailFields(facts.subject, text)}`} data-testid="invite-mail">
            {t('inviteMore.mail')}
          </a>
          <a href={`sms:?&body=${encodeURIComponent(text)}`} data-testid="invite-sms">
            {t('inviteMore.sms')}
          </a>
        </p>
      </details>
      {role === 'host' && <FullLink conference={conference} link={facts.link} />}
      <div className="dialog-buttons invite-copy">
        <Button data-testid="invite-copy-link" onClick={() => void copyText(facts.link, () => t('invite.linkCopied'))}>
          {t('invite.copyLink')}
        </Button>
        <Button
          kind={mayInvite ? 'plain' : 'primary'}
          data-testid="invite-copy-text"
          onClick={() => void copyText(text, () => t('invite.textCopied'))}
        >
          {t('invite.copyText')}
        </Button>
      </div>
    </Dialog>
  );
}

interface FullLinkProps {
  conference: Pick<InviteDialogProps['conference'], 'numericId' | 'control'>;
  link: string;
}

/** Copies the link with the key of an end-to-end encrypted meeting. */
function FullLink({ conference: { numericId, control }, link }: FullLinkProps) {
  const t = useT();
  const key = control.e2ee === true ? meetingKey(numericId) : null;
  if (key === null) return null;
  return (
    <div className="invite-full">
      <p className="dialog-text">{t('encryption.copyFullHint')}</p>
      <Button
        data-testid="invite-copy-full"
        onClick={() => void copyText(linkWithKey(link, key), () => t('invite.linkCopied'))}
      >
        {t('encryption.copyFull')}
      </Button>
    </div>
  );
}

/** The subject and text of a mail for the user's own mail program, which does not know `+` for a space. */
const mailFields = (subject: string, body: string): string =>
  `subject=${encodeURIComponent(subject)}&body=${encodeURIComponent(body)}`;
