import { useState } from 'react';
import { conferences, type Admission } from '@rmeet/contract';
import { Link, useLocation, useNavigate } from 'react-router';
import { isEncryptionSupported, type LocalMedia } from '../../../call/index.ts';
import { Cancelled, isApiError } from '../../../lib/api/index.ts';
import { deviceId } from '../../../lib/browser.ts';
import { keepMeetingKey, meetingKey, meetingKeyIn } from '../../../lib/meetingKeys.ts';
import { loginPath } from '../../../lib/paths.ts';
import { useEntrance } from '../../../lib/useEntrance.ts';
import { LanguageSwitch } from '../../../ui/LanguageSwitch.tsx';
import { PageHelp } from '../../../ui/PageHelp.tsx';
import { Loading } from '../../../ui/states.tsx';
import { QueueNote } from '../../../ui/QueueNote.tsx';
import { EncryptionNote } from './EncryptionNote.tsx';
import { joinErrorOf, type JoinError, type JoinField } from './join-errors.ts';
import { useT } from '../texts.ts';
import { EntryLogo, Welcome } from './EntryLogo.tsx';
import { LinkInvalid, type GuestMeeting } from './GuestGate.tsx';
import { JoinForm, type EarlyMeeting, type JoinInput } from './JoinForm.tsx';
import { MeetingDetails, type KnownMeeting } from './MeetingDetails.tsx';
import { Preview } from './Preview.tsx';
import { useGuestMeeting, usePreJoin } from './usePreJoin.ts';

interface JoinScreenProps {
  local: LocalMedia;
  initial: JoinInput;
  signedInAs: string | null;
  /** The meeting of a guest link, which needs neither number nor password. */
  guest: GuestMeeting | null;
  /** `meeting` is null if the user may not know it before joining. */
  onAdmitted: (admission: Admission, input: JoinInput, meeting: KnownMeeting | null) => void;
}

/** The form to join: the meeting, the user's name if needed, and a preview of camera and microphone. */
// oxlint-disable-next-line complexity -- Plain JSX with optional parts.
export function JoinScreen({ local, initial, signedInAs, guest: opened, onAdmitted }: JoinScreenProps) {
  const guest = useGuestMeeting(opened);
  const isSignedIn = signedInAs !== null;
  const { known, isPending, refusal, lookAgain } = usePreJoin({
    ...initial,
    signedIn: isSignedIn,
    enabled: guest === null,
  });
  const meeting = guest ?? known?.meeting ?? null;
  const { join, cancel, ...state } = useJoin({
    signedInAs,
    guest,
    onAdmitted: (admission, input) => onAdmitted(admission, input, meeting),
    lookAgain,
  });
  const isEncrypted = meeting?.e2ee === true || state.askedLater.includes('key');
  const askedLater = refusal?.asks === true ? [...state.askedLater, refusal.field] : state.askedLater;
  const asks = askedFields({ initial, signedInAs, guest }, askedLater, known?.asksPassword ?? true);
  if (isEncrypted && meetingKey(guest?.numericId ?? initial.number) === null) asks.add('key');
  // Until it is known whether a signed-in user has to enter anything, there is nothing to press.
  const isForm = (!isPending || !isSignedIn) && (!isEncrypted || isEncryptionSupported());

  if (state.isLinkInvalid) return <LinkInvalid />;
  return (
    <div className="join">
      <JoinHeader isSignedIn={isSignedIn} meeting={meeting} />
      <main className="join-main">
        <Preview local={local} />
        <section className="join-card" aria-labelledby="join-title">
          <MeetingPart
            meeting={meeting}
            guest={guest}
            isPending={isPending}
            number={asks.has('number') ? '' : initial.number}
          />
          {isEncrypted && <EncryptionNote />}
          <div className="join-entry">
            {isForm ? (
              <JoinForm
                initial={initial}
                signedInAs={signedInAs}
                asks={asks}
                early={state.refusedEarly ?? earlyOf(known, initial)}
                busy={state.busy}
                error={state.isTried ? state.error : refusal}
                onJoin={(input, early) => void join(input, early)}
              />
            ) : (
              isPending && <Loading />
            )}
            {isForm && <OtherWays isSignedIn={isSignedIn} offersOther={guest === null && !asks.has('number')} />}
          </div>
        </section>
      </main>
      {state.isWaiting && <QueueNote onCancel={cancel} />}
    </div>
  );
}

interface MeetingPartProps {
  /** Null if it is not known, or not yet. */
  meeting: KnownMeeting | null;
  guest: GuestMeeting | null;
  isPending: boolean;
  /** Named if the meeting itself is not known; empty if the user has to enter it. */
  number: string;
}

/** What the user is about to join. */
function MeetingPart({ meeting, guest, isPending, number }: MeetingPartProps) {
  const t = useT();
  return (
    <div className="join-meeting">
      <Welcome look={meeting?.look ?? null} />
      <h1 id="join-title" title={meeting?.subject}>
        {meeting === null ? t('join.title') : meeting.subject}
      </h1>
      {meeting !== null && (
        <MeetingDetails
          meeting={meeting}
          waitingRoom={guest?.waitingRoom ?? false}
          testId={guest === null ? 'join-meeting' : 'guest-meeting'}
        />
      )}
      {meeting === null && isPending && <div className="join-facts join-facts-pending" aria-hidden="true" />}
      {meeting === null && !isPending && number !== '' && (
        <p className="join-lead">{t('room.number', { number: number.replace(/(\d{3})(?=\d)/g, '$1 ') })}</p>
      )}
    </div>
  );
}

interface JoinHandlers extends Pick<JoinScreenProps, 'signedInAs' | 'guest'> {
  onAdmitted: (admission: Admission, input: JoinInput) => void;
  lookAgain: () => void;
}

/** Joins a meeting, and keeps what the server's rejections reveal. */
function useJoin({ signedInAs, guest, onAdmitted, lookAgain }: JoinHandlers) {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<JoinError | null>(null);
  const [askedLater, setAskedLater] = useState<readonly JoinField[]>([]);
  const [refusedEarly, setRefusedEarly] = useState<EarlyMeeting | null>(null);
  const [isLinkInvalid, setLinkInvalid] = useState(false);
  const [isTried, setTried] = useState(false);
  const { isWaiting, enter, cancel } = useEntrance(conferences);

  const join = async (input: JoinInput, early: boolean) => {
    setBusy(true);
    setTried(true);
    setError(null);
    const { number: numericId, meetId, password, name } = input;
    const number = guest?.numericId ?? numericId;
    const typed = meetingKeyIn(input.key);
    if (typed !== null) keepMeetingKey(number, typed);
    const e2ee = meetingKey(number) !== null;
    try {
      const way =
        guest === null
          ? { numericId, ...(meetId === null ? {} : { meetId }), ...(password === '' ? {} : { password }) }
          : { resource: guest.resource };
      const admission = await enter((calls) =>
        calls.join({ body: { ...way, name, early, e2ee, deviceId: deviceId() } }),
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
    // The link was revoked while its page was open.
    if (isApiError(failure, 'GUEST_LINK_INVALID')) setLinkInvalid(true);
    // The sign-in has expired: the query detects it and redirects to the sign-in page.
    if (signedInAs !== null && isApiError(failure, 'MEETING_PASSWORD_REQUIRED', 'NAME_REQUIRED')) lookAgain();
    const joinError = joinErrorOf(failure);
    if (joinError.asks && guest === null) setAskedLater((before) => [...before, joinError.field]);
    setError(joinError);
  };
  return { join, cancel, busy, error, askedLater, refusedEarly, isLinkInvalid, isTried, isWaiting };
}

/** The fields to ask for: unknown values, and those a rejection asked for. */
function askedFields(
  { initial, signedInAs, guest }: Pick<JoinScreenProps, 'initial' | 'signedInAs' | 'guest'>,
  askedLater: readonly JoinField[],
  asksPassword: boolean,
): Set<JoinField> {
  const asks = new Set<JoinField>(guest === null ? askedLater : []);
  if (signedInAs === null) asks.add('name');
  if (guest !== null) return asks;
  if (!/^\d{9}$/.test(initial.number)) asks.add('number');
  if (initial.password === '' && asksPassword) asks.add('password');
  return asks;
}

function earlyOf(known: ReturnType<typeof usePreJoin>['known'], { number }: JoinInput): EarlyMeeting | null {
  return known?.meeting?.early === true ? { number, startTime: known.meeting.startTime } : null;
}

function JoinHeader({ isSignedIn, meeting }: { isSignedIn: boolean; meeting: KnownMeeting | null }) {
  const t = useT();
  const { pathname, search } = useLocation();
  return (
    <header className="join-header">
      <EntryLogo look={meeting?.look ?? null} />
      <nav className="join-nav">
        <PageHelp page="join" />
        <LanguageSwitch />
        <Link to={isSignedIn ? '/myMeeting' : loginPath(pathname + search)}>
          {isSignedIn ? t('join.home') : t('join.signIn')}
        </Link>
      </nav>
    </header>
  );
}

/** Links below the form: sign in first, or another meeting. */
function OtherWays({ isSignedIn, offersOther }: { isSignedIn: boolean; offersOther: boolean }) {
  const t = useT();
  const navigate = useNavigate();
  const { pathname, search } = useLocation();
  return (
    <>
      {!isSignedIn && (
        <Link className="join-way" to={loginPath(pathname + search)} data-testid="join-sign-in">
          {t('join.signInFirst')}
        </Link>
      )}
      {offersOther && (
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
  );
}
