import { useState } from 'react';
import type { Admission } from '@rmeet/contract';
import { Link } from 'react-router';
import type { LocalMedia } from '../../../call/index.ts';
import { Cancelled, isApiError } from '../../../lib/api/index.ts';
import { deviceId } from '../../../lib/browser.ts';
import { useEntering } from '../../../lib/useEntering.ts';
import { LanguageSwitch } from '../../../ui/LanguageSwitch.tsx';
import { Logo } from '../../../ui/Logo.tsx';
import { WaitNote } from '../../../ui/WaitNote.tsx';
import { joinErrorOf, type JoinError } from '../model/join-errors.ts';
import { useT } from '../texts.ts';
import { LinkInvalid, type GuestMeeting } from './GuestGate.tsx';
import { JoinForm, type JoinInput } from './JoinForm.tsx';
import { MeetingFacts } from './MeetingFacts.tsx';
import { Preview } from './Preview.tsx';

interface JoinScreenProps {
  local: LocalMedia;
  initial: JoinInput;
  signedInAs: string | null;
  /** The meeting of a guest link, which needs no number and no password. */
  guest: GuestMeeting | null;
  onAdmitted: (admission: Admission, input: JoinInput) => void;
}

/** The way in: who one is, which meeting, and how one will be seen and heard. */
export function JoinScreen({ local, initial, signedInAs, guest, onAdmitted }: JoinScreenProps) {
  const t = useT();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<JoinError | null>(null);
  const [hasEnded, setHasEnded] = useState(false);
  const { isWaiting, enter, cancel } = useEntering();

  const join = async (input: JoinInput) => {
    setBusy(true);
    setError(null);
    const { number: numericId, password, name } = input;
    try {
      const way = guest === null ? { numericId, ...(password === '' ? {} : { password }) } : { resource: guest.resource };
      const admission = await enter(({ conferences }) => conferences.join({ body: { ...way, name, deviceId: deviceId() } }));
      onAdmitted(admission, input);
    } catch (failure) {
      // The link was ended while its page was open.
      if (isApiError(failure, 'GUEST_LINK_INVALID')) setHasEnded(true);
      if (!(failure instanceof Cancelled)) setError(joinErrorOf(failure));
      setBusy(false);
    }
  };

  if (hasEnded) return <LinkInvalid />;
  return (
    <div className="join">
      <header className="join-header">
        <Logo open />
        <nav className="join-nav">
          <LanguageSwitch />
          <Link to={signedInAs === null ? '/login' : '/myMeeting'}>{signedInAs === null ? t('join.signIn') : t('join.home')}</Link>
        </nav>
      </header>
      <main className="join-main">
        <Preview local={local} />
        <section className="join-card" aria-labelledby="join-title">
          <h1 id="join-title">{guest === null ? t('join.title') : guest.subject}</h1>
          {guest && <MeetingFacts meeting={guest} />}
          <JoinForm initial={initial} signedInAs={signedInAs} byLink={guest !== null} busy={busy} error={error} onJoin={(input) => void join(input)} />
        </section>
      </main>
      {isWaiting && <WaitNote onCancel={cancel} />}
    </div>
  );
}
