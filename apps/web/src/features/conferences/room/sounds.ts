import { useEffect, useEffectEvent, useRef } from 'react';
import type { Call } from '../../../call/index.ts';
import { MOST_WITH_SOUNDS, readPreferences } from '../shared/preferences.ts';
import { playTones } from '../shared/tones.ts';
import { useStorePart } from '../shared/use-store.ts';

/** Frequencies of the two tones, Hz: up for a join, down for a leave. */
const TONES = { joined: [523, 784], left: [659, 440] } as const;
/** Plays a short sound when a person joins or leaves a small meeting, unless the user has turned it off. */
export function useArrivalSounds(call: Call): void {
  const notice = useStorePart(call.store, ({ notices }) => notices.at(-1));
  const people = useStorePart(call.store, ({ conference }) => conference?.terminals.length ?? 0);
  const context = useRef<AudioContext | null>(null);
  useEffect(() => () => void context.current?.close(), []);
  const play = useEffectEvent(() => {
    if (notice?.kind !== 'joined' && notice?.kind !== 'left') return;
    if (people > MOST_WITH_SOUNDS || !readPreferences().sounds) return;
    context.current ??= new AudioContext();
    playTones(context.current, TONES[notice.kind]);
  });
  const id = notice?.id ?? 0;
  useEffect(() => {
    if (id > 0) play();
  }, [id]);
}
