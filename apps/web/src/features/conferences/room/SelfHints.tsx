import { useEffect, useEffectEvent, useRef } from 'react';
import type { Call, LocalMedia } from '../../../call/index.ts';
import { watchLight } from '../../../call/effects/light.ts';
import { watchMutedSpeech } from '../../../call/effects/speech.ts';
import { toast } from '../../../lib/notify.ts';
import { useStorePart } from '../shared/use-store.ts';
import { useT } from '../texts.ts';

/** Milliseconds after which the user is told again. */
const AGAIN = 30_000;

interface SelfHintsProps {
  call: Call;
  local: LocalMedia;
  onVideoSettings: () => void;
}

/** Tells the user what only the others would notice: speaking while muted, and a dark picture. */
export function SelfHints({ call, local, onVideoSettings }: SelfHintsProps) {
  useMutedSpeech(call, local);
  useLowLight(call, local, onVideoSettings);
  return null;
}

function useMutedSpeech(call: Call, local: LocalMedia): void {
  const t = useT();
  const isMuted = useStorePart(local.store, ({ microphone }) => !microphone.on);
  const source = useStorePart(local.store, ({ microphone }) => microphone.source);
  const isHeld = useStorePart(call.store, ({ held }) => held.microphone);
  const told = useRef(-AGAIN);
  const tell = useEffectEvent(() => {
    if (performance.now() - told.current < AGAIN) return;
    told.current = performance.now();
    toast('warning', () => t('self.mutedSpeech'), {
      label: () => t('self.mutedUnmute'),
      run: () => void local.setOn('microphone', true),
    });
  });
  useEffect(() => {
    // A microphone that the chair holds has its own notice, and one that was never opened stays closed.
    if (!isMuted || isHeld || source === null) return undefined;
    return watchMutedSpeech(source, () => tell());
  }, [isMuted, isHeld, source]);
}

function useLowLight(call: Call, local: LocalMedia, onVideoSettings: () => void): void {
  const t = useT();
  const source = useStorePart(local.store, ({ camera }) => camera.source);
  const isHeld = useStorePart(call.store, ({ held }) => held.camera);
  const isTold = useRef(false);
  const tell = useEffectEvent(() => {
    isTold.current = true;
    toast('warning', () => t('self.lowLight'), { label: () => t('self.lowLightSettings'), run: onVideoSettings });
  });
  useEffect(() => {
    // A camera that the chair holds gives black pictures.
    if (source === null || isHeld || isTold.current) return undefined;
    return watchLight(source, () => tell());
  }, [source, isHeld]);
}
