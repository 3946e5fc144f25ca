import { BROADCAST_LIMITS, type BroadcastMessage } from '@rmeet/contract';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useId, useState } from 'react';
import { isApiError, sentenceOf } from '../../../lib/api/index.ts';
import { Button } from '../../../ui/Button.tsx';
import { TextField } from '../../../ui/TextField.tsx';
import { useT } from '../texts.ts';
import type { Watched, Watching } from './watching.ts';

interface ComposerProps {
  kind: BroadcastMessage['kind'];
  watching: Watching;
  now: Watched;
  /** Of one who looks after the chat; nobody reviews it. */
  manages: boolean;
}

/** Where a viewer writes; or why they cannot. */
export function Composer(props: ComposerProps) {
  const t = useT();
  const { kind, now } = props;
  const { setting, state } = now.broadcast;
  const isOff = kind === 'chat' ? setting.chat === 'off' : !setting.questions;
  const why = now.isMuted ? 'muted' : isOff ? (`${kind}Off` as const) : state === 'ended' ? 'over' : null;
  if (why !== null)
    return (
      <p className="watch-closed" role="status" data-testid="watch-closed">
        {t(`closed.${why}`)}
      </p>
    );
  return <Form {...props} />;
}

/** Sends what was written; the name is asked for when the server wants one. */
function useSending({ kind, watching, now }: ComposerProps, onSent: () => void) {
  const [asksName, setAsksName] = useState(false);
  const [wait, setWait] = useCountdown();
  const { slowSeconds } = now.broadcast.setting;
  const sending = useMutation({
    mutationFn: async ({ text, name }: { text: string; name: string }) => {
      if (asksName) await watching.rename(name);
      await watching.say(kind, text);
    },
    onSuccess: () => {
      setAsksName(false);
      setWait(slowSeconds);
      onSent();
    },
    onError: (error) => {
      if (isApiError(error, 'WATCH_NAME')) setAsksName(true);
      if (isApiError(error, 'WATCH_SLOW')) setWait(error.seconds ?? slowSeconds);
    },
    meta: { quiet: true },
  });
  const { error } = sending;
  return { sending, asksName, wait, failure: isApiError(error, 'WATCH_SLOW', 'WATCH_NAME') ? null : error };
}

function Form(props: ComposerProps) {
  const t = useT();
  const id = useId();
  const [text, setText] = useState('');
  const [name, setName] = useState('');
  const { kind, now, manages } = props;
  const { sending, asksName, wait, failure } = useSending(props, () => setText(''));
  const isReady = text.trim() !== '' && wait === 0 && (!asksName || name.trim() !== '');
  const isHeld = !manages && kind === 'chat' && now.broadcast.setting.chat === 'held';
  const hint = wait > 0 ? t('composer.wait', { count: wait }) : isHeld ? t('composer.held') : null;
  return (
    <form
      className="watch-composer"
      onSubmit={(event) => {
        event.preventDefault();
        if (isReady && !sending.isPending) sending.mutate({ text: text.trim(), name: name.trim() });
      }}
    >
      {asksName && (
        <TextField
          label={t('composer.name')}
          hint={t('composer.nameHint')}
          autoComplete="name"
          autoFocus
          maxLength={60}
          value={name}
          data-testid="watch-say-name"
          onChange={({ target }) => setName(target.value)}
        />
      )}
      <div className="watch-composer-row">
        <input
          value={text}
          maxLength={BROADCAST_LIMITS.text}
          aria-label={t(`composer.${kind}`)}
          aria-describedby={`${id}-note`}
          placeholder={t(`composer.${kind}`)}
          enterKeyHint="send"
          autoComplete="off"
          data-testid="watch-text"
          onChange={({ target }) => setText(target.value)}
        />
        <Button kind="primary" type="submit" busy={sending.isPending} disabled={!isReady} data-testid="watch-send">
          {t('composer.send')}
        </Button>
      </div>
      <p
        id={`${id}-note`}
        className="watch-composer-note"
        data-fault={failure !== null}
        role="status"
        data-testid="watch-note"
      >
        {failure === null ? hint : (sentenceOf(failure) ?? t('composer.failed'))}
      </p>
    </form>
  );
}

/** Seconds that pass by themselves. */
function useCountdown(): [number, (seconds: number) => void] {
  const [left, setLeft] = useState(0);
  const isRunning = left > 0;
  useEffect(() => {
    if (!isRunning) return undefined;
    const timer = setInterval(() => setLeft((now) => Math.max(0, now - 1)), 1_000);
    return () => clearInterval(timer);
  }, [isRunning]);
  return [left, setLeft];
}
