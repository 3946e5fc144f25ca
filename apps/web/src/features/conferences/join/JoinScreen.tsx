import { useState } from 'react';
import type { Admission } from '@rmeet/contract';
import { Link, useLocation, useNavigate } from 'react-router';
import type { LocalMedia } from '../../../call/index.ts';
import { Cancelled, isApiError } from '../../../lib/api/index.ts';
import { deviceId } from '../../../lib/browser.ts';
import { loginPath } from '../../../lib/paths.ts';
import { useEntering } from '../../../lib/useEntering.ts';
import { LanguageSwitch } from '../../../ui/LanguageSwitch.tsx';
import { Logo } from '../../../ui/Logo.tsx';
import { Loading } from '../../../ui/states.tsx';
import { WaitNote } from '../../../ui/WaitNote.tsx';
import { joinErrorOf, type JoinError, type JoinField } from './join-errors.ts';
import { useT } from '../texts.ts';
import { LinkInvalid, type GuestMeeting } from './GuestGate.tsx';
import { JoinForm, type EarlyMeeting, type JoinInput } from './JoinForm.tsx';
import { MeetingFacts } from './MeetingDetails.tsx';
import { Preview } from './Preview.tsx';
import { usePreJoin } from './usePreJoin.ts';

interface JoinScreenProps {
  local: LocalMedia;
  initial: JoinInput;
  signedInAs: string | null;
  /** The meeting of a guest link, which needs no number and no password. */
  guest: GuestMeeting | null;
  onAdmitted: (admission: Admission, input: JoinInput) => void;
}

/** The way in: which meeting, who one is as far as that is not known, and how one will be seen and heard. */
export function JoinScreen({ local, initial, signedInAs, guest, onAdmitted }: JoinScreenProps) {
  const t = useT();
  const navigate = useNavigate();
  const { pathname, search } = useLocation();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<JoinError | null>(null);
  const [askedLater, setAskedLater] = useState<readonly JoinField[]>([]);
  const [refusedEarly, setRefusedEarly] = useState<EarlyMeeting | null>(null);
  const [hasEnded, setHasEnded] = useState(false);
  const { isWaiting, enter, cancel } = useEntering();
  const { known, isPending, lookAgain } = usePreJoin(initial, signedInAs !== null && guest === null);

  const join = async (input: JoinInput, early: boolean) => {
    setBusy(true);
    setError(null);
    const { number: numericId, meetId, password, name } = input;
    try {
      const way =
        guest === null
          ? { numericId, ...(meetId === null ? {} : { meetId }), ...(password === '' ? {} : { password }) }
          : { resource: guest.resource };
      const admission = await enter(({ conferences }) =>
        conferences.join({ body: { ...way, name, early, deviceId: deviceId() } }),
      );
      onAdmitted(admission, input);
    } catch (failure) {
      if (!(failure instanceof Cancelled)) refused(failure, numericId);
      setBusy(false);
    }
  };

  const refused = (failure: unknown, number: string) => {
    if (isApiError(failure, 'MEETING_EARLY')) {
      setRefusedEarly({ number, startTime: failure.details['startTime'] ?? '' });
      return;
    }
    // The link was ended while its page was open.
    if (isApiError(failure, 'GUEST_LINK_INVALID')) setHasEnded(true);
    // Somebody whose sign-in has ended counts as anybody; the page takes them to sign in again.
    if (signedInAs !== null && isApiError(failure, 'MEETING_PASSWORD_REQUIRED', 'NAME_REQUIRED')) lookAgain();
    const told = joinErrorOf(failure);
    if (told.asks && guest === null) setAskedLater((before) => [...before, told.field]);
    setError(told);
  };

  const asks = new Set<JoinField>(guest === null ? askedLater : []);
  if (signedInAs === null) asks.add('name');
  if (guest === null && !/^\d{9}$/.test(initial.number)) asks.add('number');
  if (guest === null && initial.password === '' && (known?.asksPassword ?? true)) asks.add('password');
  const knownEarly =
    known?.meeting?.early === true ? { number: initial.number, startTime: known.meeting.startTime } : null;
  const meeting = guest ?? known?.meeting ?? null;

  if (hasEnded) return <LinkInvalid />;
  return (
    <div className="join">
      <header className="join-header">
        <Logo open />
        <nav className="join-nav">
          <LanguageSwitch />
          <Link to={signedInAs === null ? loginPath(pathname + search) : '/myMeeting'}>
            {signedInAs === null ? t('join.signIn') : t('join.home')}
          </Link>
        </nav>
      </header>
      <main className="join-main">
        <Preview local={local} />
        <section className="join-card" aria-labelledby="join-title">
          <h1 id="join-title">{meeting === null ? t('join.title') : meeting.subject}</h1>
          {isPending ? (
            <Loading />
          ) : (
            <>
              {meeting === null && initial.number !== '' && !asks.has('number') && (
                <p className="join-lead">
                  {t('room.number', { number: initial.number.replace(/(\d{3})(?=\d)/g, '$1 ') })}
                </p>
              )}
              {meeting && (
                <MeetingFacts
                  meeting={meeting}
                  waitingRoom={guest?.waitingRoom ?? false}
                  testId={guest === null ? 'join-meeting' : 'guest-meeting'}
                />
              )}
              <JoinForm
                initial={initial}
                signedInAs={signedInAs}
                asks={asks}
                early={refusedEarly ?? knownEarly}
                busy={busy}
                error={error}
                onJoin={(input, early) => void join(input, early)}
              />
              {signedInAs === null && (
                <Link className="join-way" to={loginPath(pathname + search)} data-testid="join-sign-in">
                  {t('join.signInFirst')}
                </Link>
              )}
              {guest === null && !asks.has('number') && (
                <button
                  type="button"
                  className="link-button join-way"
                  data-testid="join-other"
                  onClick={() => void navigate('/join', { replace: true })}
                >
                  {t('end.other')}
                </button>
              )}
            </>
          )}
        </section>
      </main>
      {isWaiting && <WaitNote onCancel={cancel} />}
    </div>
  );
}
