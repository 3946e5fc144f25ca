import { useEffect, useId, useLayoutEffect, useRef, useState } from 'react';
import { Button } from '../../../ui/Button.tsx';
import { callAttention } from './attention.ts';
import { isChimeMuted, rememberChimeMuted, startChime } from './chime.ts';
import type { Ring } from './rings.ts';
import { useT } from './texts.ts';
import './ring.css';

interface RingDialogProps {
  ring: Ring;
  /** Number of other calls that ring at the same time. */
  more: number;
  /** The user is in another meeting. */
  leavesOther: boolean;
  onJoin: () => void;
  onDecline: () => void;
  /** Dismissed for now; the caller is not informed. */
  onLater: () => void;
}

/**
 * Shows an incoming call to a meeting. A native modal dialog: screen readers announce it, it traps the focus and
 * returns it afterwards. The initial focus is on its heading, so that a key typed at that moment neither joins nor
 * declines.
 */
export function RingDialog({ ring, more, leavesOther, onJoin, onDecline, onLater }: RingDialogProps) {
  const t = useT();
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const seconds = useSecondsUntil(ring.endsAt);
  const name = ring.from || t('someone');

  useLayoutEffect(() => {
    const element = dialog.current;
    element?.showModal();
    heading.current?.focus();
    return () => element?.close();
  }, []);
  const [documentTitle, sentence] = [t('documentTitle', { subject: ring.subject }), t('title', { name })];
  useEffect(() => callAttention(documentTitle, sentence, ring.meetId), [documentTitle, sentence, ring.meetId]);

  return (
    <dialog
      ref={dialog}
      className="ring"
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-subject`}
      data-testid="ring"
      onCancel={(event) => {
        event.preventDefault();
        onLater();
      }}
    >
      <span className="ring-pulse" aria-hidden />
      <h2 ref={heading} id={`${id}-title`} tabIndex={-1}>
        {sentence}
      </h2>
      <p id={`${id}-subject`} className="ring-subject">
        {ring.subject}
      </p>
      <p className="ring-facts">
        <span>{t('number', { number: ring.numericId.replace(/(\d{3})(?=\d)/g, '$1 ') })}</span>
        <span role="timer" data-testid="ring-seconds">
          {t('secondsLeft', { count: seconds })}
        </span>
      </p>
      {more > 0 && <p className="ring-more">{t('more', { count: more })}</p>}
      {leavesOther && <p className="ring-warning">{t('leavesOther')}</p>}
      <div className="ring-buttons">
        <Button large kind="danger" data-testid="ring-decline" onClick={onDecline}>
          {t('decline')}
        </Button>
        <Button large kind="primary" data-testid="ring-join" onClick={onJoin}>
          {t('join')}
        </Button>
      </div>
      <RingFooter onLater={onLater} />
    </dialog>
  );
}

/** Plays the chime unless muted. */
function RingFooter({ onLater }: Pick<RingDialogProps, 'onLater'>) {
  const t = useT();
  const [muted, setMuted] = useState(isChimeMuted);
  useEffect(() => (muted ? undefined : startChime()), [muted]);
  return (
    <p className="ring-foot">
      <Button
        kind="quiet"
        data-testid="ring-mute"
        onClick={() => {
          rememberChimeMuted(!muted);
          setMuted(!muted);
        }}
      >
        {t(muted ? 'unmute' : 'mute')}
      </Button>
      <Button kind="quiet" data-testid="ring-later" onClick={onLater}>
        {t('later')}
      </Button>
    </p>
  );
}

/** Whole seconds until a time, at least 0. */
function useSecondsUntil(time: number): number {
  const secondsLeft = () => Math.max(0, Math.ceil((time - Date.now()) / 1_000));
  const [left, setLeft] = useState(secondsLeft);
  useEffect(() => {
    const timer = setInterval(() => setLeft(Math.max(0, Math.ceil((time - Date.now()) / 1_000))), 250);
    return () => clearInterval(timer);
  }, [time]);
  return left;
}
