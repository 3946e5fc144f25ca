import type { ExpectedPerson } from '@rmeet/contract';
import type { ReactNode } from 'react';
import { session } from '../../../../lib/browser.ts';
import { Button } from '../../../../ui/Button.tsx';
import { colourOf, initialsOf } from '../../shared/initials.ts';
import { useT } from '../../texts.ts';
import type { Inviting, Sending } from './useInviting.ts';

/** In which order people are listed: whose call needs an eye first, who has come last. */
const ORDER: Record<ExpectedPerson['state'], number> = { ringing: 0, declined: 1, missed: 1, absent: 2, inside: 3 };

/** Everybody invited, whether they are coming, and buttons to ring them or to stop it. */
export function Expected({ inviting: { invitees, mail }, sending }: { inviting: Inviting; sending: Sending }) {
  const t = useT();
  const others = invitees.filter(({ userId }) => userId === null || userId !== session.user?.id);
  const listed = others.toSorted((one, other) => ORDER[one.state] - ORDER[other.state]);
  const absent = listed.filter(({ userId, state }) => userId !== null && state !== 'inside' && state !== 'ringing');
  return (
    <>
      <div className="inviting-head">
        <h3 id="inviting-expected">
          {listed.length === 0 ? t('inviting.expectedNobody') : t('inviting.expected', { count: listed.length })}
        </h3>
        {absent.length > 1 && (
          <Button
            kind="quiet"
            busy={sending.busy === 'all'}
            data-testid="inviting-call-all"
            onClick={() => void sending.send('all', { verb: 'call', targets: absent.map(({ termId }) => termId) })}
          >
            {t('inviting.callAll', { count: absent.length })}
          </Button>
        )}
      </div>
      <ul className="inviting-list" aria-labelledby="inviting-expected" data-testid="inviting-expected">
        {listed.length === 0 && <li className="inviting-none">{t('inviting.alone')}</li>}
        {listed.map((invitee) => (
          <ExpectedRow
            key={invitee.termId}
            invitee={invitee}
            detail={invitee.department}
            testId={`inviting-${invitee.termId}`}
            hasMail={mail === null}
            sending={sending}
          />
        ))}
      </ul>
    </>
  );
}

interface ExpectedRowProps {
  invitee: ExpectedPerson;
  detail: string;
  testId: string;
  hasMail: boolean;
  sending: Sending;
}

/** Somebody who is invited, whether they are coming, and a button to ring them or to stop it. */
export function ExpectedRow({ invitee, detail, testId, hasMail, sending: { busy, send } }: ExpectedRowProps) {
  const t = useT();
  const { termId, userId, name, state } = invitee;
  const isRinging = state === 'ringing';
  // Outside addresses are called by mail; a text message cannot be repeated.
  const isCallable = isRinging || (state !== 'inside' && (userId !== null || (termId.startsWith('M') && hasMail)));
  const label = isRinging ? 'cancel' : userId === null ? 'mailAgain' : state === 'absent' ? 'call' : 'callAgain';
  return (
    <PersonRow name={name} detail={detail} testId={testId}>
      <CallState invitee={invitee} />
      {isCallable && (
        <Button
          busy={busy === termId}
          aria-label={t(`inviting.${label}Of`, { name })}
          data-testid={isRinging ? 'inviting-cancel' : 'inviting-call'}
          onClick={() => void send(termId, { verb: isRinging ? 'cancelCall' : 'call', targets: [termId] })}
        >
          {t(`inviting.${label}`)}
        </Button>
      )}
    </PersonRow>
  );
}

/** Whether the person is coming; for outside people, what became of the last mail. */
function CallState({ invitee: { state, userId, mail } }: { invitee: ExpectedPerson }) {
  const t = useT();
  const text =
    userId !== null
      ? t(`inviting.state.${state}`)
      : mail === 'none'
        ? t('inviting.invited')
        : t(`inviting.mails.${mail}`);
  return (
    <span className="inviting-state" data-state={state} role="status" data-testid="inviting-state">
      {text}
    </span>
  );
}

interface PersonRowProps {
  name: string;
  detail: string;
  testId: string;
  /** State and buttons. */
  children: ReactNode;
}

/** One person of a list in the dialog. */
export function PersonRow({ name, detail, testId, children }: PersonRowProps) {
  return (
    <li className="inviting-person" data-testid={testId}>
      <span className="inviting-avatar" aria-hidden="true" style={{ background: colourOf(name) }}>
        {initialsOf(name)}
      </span>
      <span className="inviting-who">
        <strong title={name}>{name}</strong>
        {detail !== '' && <small title={detail}>{detail}</small>}
      </span>
      <span className="inviting-acts">{children}</span>
    </li>
  );
}
