import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type { ConferenceControl } from '@rmeet/conference';
import type { Call, DeviceError, DeviceNotice, LocalMedia } from '../../../call/index.ts';
import type { Words } from '../../../lib/notify.ts';
import { controlNews } from './model/control-news.ts';
import { deviceSentence, sentencesOf } from './model/notices.ts';
import { useT } from '../texts.ts';
import { useStorePart } from '../shared/use-store.ts';

/** Milliseconds: how long happenings are gathered before they are told, and how long a sentence stands. */
const GATHER = 800;
const STAND = 5_000;
const MOST = 4;

interface Sentence {
  id: number;
  text: Words;
}

/** What happens in the room, told shortly to eyes and to screen readers, never faster than they can follow. */
export function Messages({ call, local }: { call: Call; local: LocalMedia }) {
  const t = useT();
  const notices = useStorePart(call.store, (state) => state.notices);
  const deviceNotice = useStorePart(local.store, (state) => state.notice);
  const cameraError = useStorePart(local.store, (state) => state.camera.error);
  const microphoneError = useStorePart(local.store, (state) => state.microphone.error);
  const screenError = useStorePart(local.store, (state) => state.screen.error);
  const [sentences, setSentences] = useState<readonly Sentence[]>([]);
  const told = useRef(0);
  const count = useRef(0);
  const gathering = useRef(false);
  const timers = useRef(new Set<ReturnType<typeof setTimeout>>());

  /** @param say gives the same sentences each time, in the language in use then */
  const tell = (say: () => readonly string[]) => {
    const added = say().map((_, index) => ({ id: ++count.current, text: () => say()[index] ?? '' }));
    if (added.length === 0) return;
    setSentences((before) => [...before, ...added].slice(-MOST));
    const timer = setTimeout(() => {
      timers.current.delete(timer);
      setSentences((before) => before.filter((each) => !added.includes(each)));
    }, STAND);
    timers.current.add(timer);
  };

  const tellNotices = useEffectEvent(() => {
    const fresh = notices.filter((each) => each.id > told.current);
    told.current = notices.at(-1)?.id ?? 0;
    tell(() => sentencesOf(fresh, t));
  });
  const lastNotice = notices.at(-1)?.id ?? 0;
  useEffect(() => {
    if (lastNotice === 0 || gathering.current) return;
    gathering.current = true;
    const timer = setTimeout(() => {
      timers.current.delete(timer);
      gathering.current = false;
      tellNotices();
    }, GATHER);
    timers.current.add(timer);
  }, [lastNotice]);

  // Before the state has come there is nothing it could differ from.
  const conference = useStorePart(call.store, (state) => state.conference);
  const known = useRef<ConferenceControl | null>(null);
  const tellControl = useEffectEvent((before: ConferenceControl, after: ConferenceControl) => {
    tell(() => controlNews(before, after, call.termId, t));
  });
  const control = conference?.control ?? null;
  useEffect(() => {
    if (known.current !== null && control !== null) tellControl(known.current, control);
    known.current = control;
  }, [control]);

  const tellDevice = useEffectEvent((notice: DeviceNotice) => tell(() => [deviceSentence(notice, t)]));
  useEffect(() => {
    if (deviceNotice !== null) tellDevice(deviceNotice);
  }, [deviceNotice]);

  // Errors from before joining were told beside the preview.
  const shown = useRef(false);
  const tellError = useEffectEvent((kind: 'camera' | 'microphone' | 'screen', error: DeviceError) =>
    tell(() => [t(`deviceErrors.${kind}.${error}`)]),
  );
  useEffect(() => {
    if (cameraError !== null && shown.current) tellError('camera', cameraError);
  }, [cameraError]);
  useEffect(() => {
    if (microphoneError !== null && shown.current) tellError('microphone', microphoneError);
  }, [microphoneError]);
  useEffect(() => {
    if (screenError !== null) tellError('screen', screenError);
  }, [screenError]);
  useEffect(() => {
    shown.current = true;
  }, []);
  useEffect(() => {
    const running = timers.current;
    return () => running.forEach(clearTimeout);
  }, []);

  return (
    <div className="messages" role="status" aria-live="polite" data-testid="call-messages">
      {sentences.map(({ id, text }) => (
        <p key={id}>{text()}</p>
      ))}
    </div>
  );
}
