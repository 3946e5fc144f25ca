import { useState } from 'react';
import type { Call, LocalMedia } from '../../../call/index.ts';
import { reportError } from '../../../lib/api/index.ts';
import { Button } from '../../../ui/Button.tsx';
import { useT } from '../texts.ts';
import { useStorePart } from '../shared/use-store.ts';
import { Dialog } from '../../../ui/Dialog.tsx';

/**
 * The chair asks to unmute. A user who is typing at that moment must not unmute by accident, so the focus is on staying
 * muted. The dialog closes when the chair withdraws the request, and opens again for a new request.
 */
export function UnmuteRequestDialog({ call }: { call: Call }) {
  const isAsked = useStorePart(call.store, (state) => state.unmuteAsked);
  const last = useStorePart(
    call.store,
    ({ notices }) => notices.findLast(({ kind }) => kind === 'unmuteAsked')?.id ?? 0,
  );
  const [answered, setAnswered] = useState<number | null>(null);
  return isAsked && answered !== last ? <Question key={last} call={call} onAnswered={() => setAnswered(last)} /> : null;
}

function Question({ call, onAnswered }: { call: Call; onAnswered: () => void }) {
  const t = useT();
  const [busy, setBusy] = useState(false);
  const agree = async () => {
    setBusy(true);
    try {
      await call.unmute();
    } catch (error) {
      reportError(error);
    }
    onAnswered();
  };
  return (
    <Dialog title={t('ask.title')} testId="ask-unmute" onClose={onAnswered}>
      <p className="dialog-text">{t('ask.hint')}</p>
      <div className="dialog-buttons">
        <Button data-focus data-testid="ask-unmute-no" onClick={onAnswered}>
          {t('ask.no')}
        </Button>
        <Button kind="primary" busy={busy} data-testid="ask-unmute-yes" onClick={() => void agree()}>
          {t('ask.yes')}
        </Button>
      </div>
    </Dialog>
  );
}

/** The chair asks to share. The browser then asks what to share; nothing is shared before. */
export function ShareRequestDialog({ call, local }: { call: Call; local: LocalMedia }) {
  const t = useT();
  const isAsked = useStorePart(call.store, ({ contentAsked, held }) => contentAsked && held.content === null);
  const last = useStorePart(
    call.store,
    ({ notices }) => notices.findLast(({ kind }) => kind === 'contentAsked')?.id ?? 0,
  );
  const [answered, setAnswered] = useState<number | null>(null);
  if (!isAsked || answered === last) return null;
  const agree = () => {
    setAnswered(last);
    void local.share();
  };
  return (
    <Dialog key={last} title={t('askShare.title')} testId="ask-share" onClose={() => setAnswered(last)}>
      <p className="dialog-text">{t('askShare.hint')}</p>
      <div className="dialog-buttons">
        <Button data-focus data-testid="ask-share-no" onClick={() => setAnswered(last)}>
          {t('askShare.no')}
        </Button>
        <Button kind="primary" data-testid="ask-share-yes" onClick={agree}>
          {t('askShare.yes')}
        </Button>
      </div>
    </Dialog>
  );
}
