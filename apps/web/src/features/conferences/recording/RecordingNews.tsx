import type { ConferenceRecording } from '@rmeet/conference';
import { useEffect, useEffectEvent, useRef } from 'react';
import { playTones } from '../shared/tones.ts';
import { recordingNews, turnOf } from './news.ts';
import { useT } from './texts.ts';

/** Frequencies of the two tones, Hz: higher than those of people who come and go. */
const TONES = { start: [880, 1175], stop: [1175, 880] } as const;
/** After this time the tones are over; ms. */
const OVER = 1_000;

interface RecordingNewsProps {
  /** Undefined until the state of the conference is known; null before the first recording. */
  recording: ConferenceRecording | null | undefined;
  mayRecord: boolean;
  /** Start and end are heard, too. */
  hasSound: boolean;
  /** @param sentences returns the same sentences on each call, in the current language */
  say: (sentences: () => readonly string[]) => void;
}

/** Tells all people what becomes of the recording, and those who come later that there is one. */
export function RecordingNews({ recording, mayRecord, hasSound, say }: RecordingNewsProps): null {
  const t = useT();
  const known = useRef<ConferenceRecording | null | undefined>(undefined);
  const tell = useEffectEvent((before: ConferenceRecording | null | undefined, after: ConferenceRecording | null) => {
    if (recordingNews(before, after, { mayRecord, t }).length > 0)
      say(() => recordingNews(before, after, { mayRecord, t }));
    const turn = turnOf(before, after);
    if (turn !== null && hasSound) play(TONES[turn]);
  });
  useEffect(() => {
    if (recording === undefined || recording === known.current) return;
    tell(known.current, recording);
    known.current = recording;
  }, [recording]);
  return null;
}

function play(tones: readonly number[]): void {
  const context = new AudioContext();
  playTones(context, tones);
  setTimeout(() => void context.close(), OVER);
}
