import { useEffect, useEffectEvent } from 'react';
import type { Call } from '../../../call/index.ts';
import { reportError } from '../../../lib/api/index.ts';
import { toast } from '../../../lib/notify.ts';
import { useStorePart } from '../shared/use-store.ts';
import { useT } from '../texts.ts';
import { maySelfUnmute } from './model/control-news.ts';

interface HeldMicrophone {
  mayUnmute: boolean;
  /** Unmutes if the chair allows it; else raises the hand. */
  speak: () => void;
}

/** What users can do whom the chair has muted. They are told the reason once, with a button for the way out. */
export function useHeldMicrophone(call: Call): HeldMicrophone {
  const t = useT();
  const isHeld = useStorePart(call.store, ({ held }) => held.microphone);
  const isHandUp = useStorePart(call.store, ({ tiles }) =>
    tiles.some(({ own, handPlace }) => own && handPlace !== null),
  );
  const mayUnmute = useStorePart(call.store, ({ control, conference }) =>
    maySelfUnmute(control, call.termId, conference?.me.can.control ?? false),
  );
  const raiseHand = async () => {
    try {
      if (!isHandUp) await call.raiseHand(true);
      toast('success', () => t('speaking.asked'));
    } catch (error) {
      reportError(error);
    }
  };
  const speak = () => void (mayUnmute ? call.unmute().catch(reportError) : raiseHand());
  const speakNow = useEffectEvent(speak);
  const tell = useEffectEvent(() =>
    toast('warning', () => t(mayUnmute ? 'told.muted' : 'held.raiseHand'), {
      label: () => t(mayUnmute ? 'ask.yes' : 'toolbar.handRaise'),
      run: () => speakNow(),
    }),
  );
  // A notice that is no longer true disappears.
  useEffect(() => (isHeld ? tell() : undefined), [isHeld]);
  return { mayUnmute, speak };
}
