import type { ConferenceState } from '@rmeet/contract';
import { copyText } from '../../../../lib/clipboard.ts';
import { Button } from '../../../../ui/Button.tsx';
import { Popover } from '../../../../ui/Popover.tsx';
import { useT } from '../../texts.ts';
import { grouped } from '../model/numbers.ts';
import { invitationFacts, invitationText } from './invitation.ts';
import './details.css';

interface MeetingDetailsProps {
  title: string;
  conference: ConferenceState;
  anchor: () => HTMLElement | null;
  onClose: () => void;
}

/** What the meeting is and how others come in; guests do not see the password. */
export function MeetingDetails({ title, conference, anchor, onClose }: MeetingDetailsProps) {
  const t = useT();
  const facts = invitationFacts(conference);
  const rows = facts
    ? ([
        ['host', facts.host],
        ['time', facts.time],
        ['number', facts.number],
        ['password', facts.password],
        ['link', facts.link],
      ] as const)
    : ([['number', grouped(conference.numericId)]] as const);
  return (
    <Popover form label={t('details.title')} anchor={anchor} testId="meeting-details" onClose={onClose}>
      <div className="details" onKeyDown={(event) => event.key === 'Escape' && onClose()}>
        <h2>{title}</h2>
        <dl>
          {rows.map(([key, value]) =>
            value === '' ? null : (
              <div key={key}>
                <dt>{t(`details.${key}`)}</dt>
                <dd data-testid={`details-${key}`}>{value}</dd>
              </div>
            ),
          )}
        </dl>
        {facts !== null && (
          <div className="details-acts">
            <Button
              data-testid="details-copy-link"
              onClick={() => void copyText(facts.link, () => t('invite.linkCopied'))}
            >
              {t('invite.copyLink')}
            </Button>
            <Button
              kind="primary"
              data-testid="details-copy-text"
              onClick={() => void copyText(invitationText(facts, t), () => t('invite.textCopied'))}
            >
              {t('invite.copyText')}
            </Button>
          </div>
        )}
      </div>
    </Popover>
  );
}
