import { useState } from 'react';
import type { Admission } from '@rmeet/contract';
import { Link } from 'react-router';
import type { LocalMedia } from '../../../call/index.ts';
import { api } from '../../../lib/api/index.ts';
import { LanguageSwitch } from '../../../ui/LanguageSwitch.tsx';
import { Logo } from '../../../ui/Logo.tsx';
import { joinErrorOf, type JoinError } from '../model/join-errors.ts';
import { useT } from '../texts.ts';
import { JoinForm, type JoinInput } from './JoinForm.tsx';
import { Preview } from './Preview.tsx';

interface JoinScreenProps {
  local: LocalMedia;
  initial: JoinInput;
  signedInAs: string | null;
  onAdmitted: (admission: Admission, input: JoinInput) => void;
}

/** The way in: who one is, which meeting, and how one will be seen and heard. */
export function JoinScreen({ local, initial, signedInAs, onAdmitted }: JoinScreenProps) {
  const t = useT();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<JoinError | null>(null);

  const join = async (input: JoinInput) => {
    setBusy(true);
    setError(null);
    const { number: numericId, password, name } = input;
    try {
      const admission = await api.conferences.join({ body: { numericId, name, ...(password === '' ? {} : { password }) } });
      onAdmitted(admission, input);
    } catch (failure) {
      setError(joinErrorOf(failure));
      setBusy(false);
    }
  };

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
          <h1 id="join-title">{t('join.title')}</h1>
          <JoinForm initial={initial} signedInAs={signedInAs} busy={busy} error={error} onJoin={(input) => void join(input)} />
        </section>
      </main>
    </div>
  );
}
