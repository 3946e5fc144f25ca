import { useEffect, useId, useRef, useState, type FormEvent } from 'react';
import type { Call, LocalMedia } from '../../../call/index.ts';
import { isApiError, reportError } from '../../../lib/api/index.ts';
import { Button } from '../../../ui/Button.tsx';
import { LanguageSwitch } from '../../../ui/LanguageSwitch.tsx';
import { useT } from '../texts.ts';
import { useStorePart } from '../shared/use-store.ts';
import { EntryLogo, Welcome } from './EntryLogo.tsx';
import { MeetingDetails, type KnownMeeting } from './MeetingDetails.tsx';
import { Preview } from './Preview.tsx';

/** Maximum length of a message, as in the contract. */
const MESSAGE = 200;

interface WaitingScreenProps {
  call: Call;
  local: LocalMedia;
  /** Null if the person may not know it before joining. */
  meeting: KnownMeeting | null;
}

/**
 * Shown until the host admits or rejects the person, also to a person sent back from inside; joining then happens by
 * itself.
 */
export function WaitingScreen({ call, local, meeting }: WaitingScreenProps) {
  const t = useT();
  const sentBack = useStorePart(call.store, (state) => state.sentBack);
  const awaitsHost = useStorePart(call.store, (state) => state.awaitsHost);
  const words = sentBack ? 'sentBack' : awaitsHost ? 'noHost' : 'title';
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => title.current?.focus(), []);
  return (
    <div className="join">
      <header className="join-header">
        <EntryLogo look={meeting?.look ?? null} />
        <LanguageSwitch />
      </header>
      <main className="join-main">
        <Preview local={local} />
        <section
          className="join-card"
          data-testid="waiting-room"
          data-sent-back={sentBack}
          data-awaits-host={awaitsHost}
        >
          <div className="join-meeting">
            <div className="waiting-dots" aria-hidden="true">
              <span />
              <span />
              <span />
            </div>
            <h1 ref={title} tabIndex={-1}>
              {t(`waiting.${words}`)}
            </h1>
            <p role="status" className="join-lead">
              {t(words === 'title' ? 'waiting.hint' : `waiting.${words}Hint`)}
            </p>
            {meeting !== null && (
              <>
                <Welcome look={meeting.look} />
                <p className="waiting-subject" title={meeting.subject}>
                  {meeting.subject}
                </p>
                <MeetingDetails meeting={meeting} withInside={false} testId="waiting-meeting" />
              </>
            )}
          </div>
          <div className="join-entry">
            {!awaitsHost && <ChairMessage call={call} />}
            <Button large data-testid="waiting-leave" onClick={() => void call.leave()}>
              {t('waiting.leave')}
            </Button>
          </div>
        </section>
      </main>
    </div>
  );
}

/** The one message a waiting person may send to the chair. */
function ChairMessage({ call }: { call: Call }) {
  const t = useT();
  const id = useId();
  const [text, setText] = useState('');
  const [state, setState] = useState<'open' | 'sending' | 'sent'>('open');
  const send = async () => {
    setState('sending');
    try {
      await call.knock(text.trim());
      setState('sent');
    } catch (error) {
      reportError(error);
      setState(isApiError(error, 'MESSAGE_SENT_ALREADY') ? 'sent' : 'open');
    }
  };
  if (state === 'sent') {
    return (
      <p className="knock-sent" role="status" data-testid="knock-sent">
        {t('waiting.messageSent')}
      </p>
    );
  }
  return (
    <form
      className="knock join-field"
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        if (text.trim() !== '' && state === 'open') void send();
      }}
    >
      <label htmlFor={id}>{t('waiting.message')}</label>
      <div className="knock-line">
        <input
          id={id}
          value={text}
          maxLength={MESSAGE}
          autoComplete="off"
          aria-describedby={`${id}-hint`}
          data-testid="knock-text"
          onChange={(event) => setText(event.target.value)}
        />
        <Button type="submit" busy={state === 'sending'} disabled={text.trim() === ''} data-testid="knock-send">
          {t('waiting.messageSend')}
        </Button>
      </div>
      <p id={`${id}-hint`} className="join-hint">
        {t('waiting.messageHint')}
      </p>
    </form>
  );
}
