import type { FixedNumber } from '@rmeet/contract';
import { useEffect, useId } from 'react';
import { useNavigate } from 'react-router';
import { session } from '../../../lib/browser.ts';
import { copyText } from '../../../lib/clipboard.ts';
import { useTexts } from '../../../lib/i18n/index.ts';
import { invitationLink } from '../../../lib/invitationLink.ts';
import { ask, toast } from '../../../lib/notify.ts';
import { Button } from '../../../ui/Button.tsx';
import { ErrorState, Loading } from '../../../ui/states.tsx';
import { formatNumber } from '../format.ts';
import { useLiveMeetings } from '../queries.ts';
import { StatusBadge } from '../status/StatusBadge.tsx';
import { useFixedNumber, useRenewNumber, useStartOnNumber } from './queries.ts';
import { SettingsCard } from './SettingsCard.tsx';
import '../meetings.css';
import '../texts.ts';
import './fixedNumber.css';
import './texts.ts';

/** `/fixedMeetingNumber`: the user's fixed meeting number, with everything needed to use it. */
export function FixedNumberPage() {
  const t = useTexts('fixedNumber');
  const found = useFixedNumber();
  useLiveMeetings();
  const title = t('title');
  useEffect(() => {
    document.title = `${title} · Rmeet`;
  }, [title]);
  const mine = found.data;

  return (
    <div className="fixed-number">
      <h1>{title}</h1>
      <p className="fixed-number-lead">{t('lead')}</p>
      {found.isPending && <Loading />}
      {found.isError && !mine && <ErrorState retry={() => void found.refetch()} />}
      {mine && (
        <div className="fixed-number-cards">
          <NumberCard mine={mine} />
          <SettingsCard mine={mine} />
          <RenewCard mine={mine} />
        </div>
      )}
    </div>
  );
}

function NumberCard({ mine }: { mine: FixedNumber }) {
  const t = useTexts('fixedNumber');
  const navigate = useNavigate();
  const id = useId();
  const start = useStartOnNumber();
  const { numericId, meeting } = mine;
  const isHeld = meeting !== null && meeting.status !== 'SCHEDULE';
  const enter = () => void navigate(`/join?number=${numericId}`);

  return (
    <section className="fixed-number-card" aria-labelledby={id}>
      <h2 id={id}>{t('number')}</h2>
      <p className="fixed-number-big" data-testid="fixed-number">
        {formatNumber(numericId)}
      </p>
      <p className="fixed-number-state" role="status" data-testid="fixed-number-state">
        {isHeld ? <StatusBadge meeting={meeting} /> : t('idle')}
      </p>
      <div className="fixed-number-buttons">
        <Button
          kind="primary"
          busy={start.isPending}
          data-testid="fixed-number-start"
          onClick={() => (isHeld ? enter() : start.mutate(undefined, { onSuccess: enter }))}
        >
          {t(isHeld ? 'enter' : 'start')}
        </Button>
        <Button data-testid="fixed-number-copy" onClick={() => void copyText(numericId, () => t('numberCopied'))}>
          {t('copyNumber')}
        </Button>
        <Button
          data-testid="fixed-number-copy-link"
          onClick={() => void copyText(invitationLink(mine), () => t('linkCopied'))}
        >
          {t('copyLink')}
        </Button>
        <Button
          data-testid="fixed-number-copy-invitation"
          onClick={() => void copyText(invitationOf(mine, t), () => t('invitationCopied'))}
        >
          {t('copyInvitation')}
        </Button>
      </div>
    </section>
  );
}

/** The invitation text for this number, one fact per line. */
function invitationOf(mine: FixedNumber, t: ReturnType<typeof useTexts<'fixedNumber'>>): string {
  const { numericId, password, waitingRoom } = mine;
  return [
    t('invitation.greeting', { name: session.user?.name ?? '' }),
    t('invitation.number', { number: formatNumber(numericId) }),
    ...(password === '' ? [] : [t('invitation.password', { password })]),
    ...(waitingRoom ? [t('invitation.waiting')] : []),
    t('invitation.link', { link: invitationLink(mine) }),
  ].join('\n');
}

function RenewCard({ mine: { numericId, meeting } }: { mine: FixedNumber }) {
  const t = useTexts('fixedNumber');
  const id = useId();
  const renew = useRenewNumber();
  const isHeld = meeting !== null && meeting.status !== 'SCHEDULE';
  const askAndRenew = async () => {
    const sure = await ask({
      title: t('renewAsk'),
      text: t('renewText', { number: formatNumber(numericId) }),
      okText: t('renew'),
      cancelText: t('renewKeep'),
      danger: true,
    });
    if (sure) renew.mutate(undefined, { onSuccess: () => toast('success', () => t('renewed')) });
  };
  return (
    <section className="fixed-number-card" aria-labelledby={id}>
      <h2 id={id}>{t('renewTitle')}</h2>
      <p className="fixed-number-note">{t(isHeld ? 'renewRunning' : 'renewLead')}</p>
      <Button
        disabled={isHeld}
        busy={renew.isPending}
        data-testid="fixed-number-renew"
        onClick={() => void askAndRenew()}
      >
        {t('renew')}
      </Button>
    </section>
  );
}
