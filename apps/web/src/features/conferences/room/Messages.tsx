import { Suspense, useEffect, useEffectEvent, useRef, useState } from 'react';
import type { ConferenceControl } from '@rmeet/conference';
import type { Call, DeviceError, DeviceNotice, LocalMedia } from '../../../call/index.ts';
import type { Words } from '../../../lib/notify.ts';
import { RecordingNews } from '../recording/RecordingNews.tsx';
import { controlNews } from './model/control-news.ts';
import { deviceSentence, sentencesOf } from './model/notices.ts';
import { useT } from '../texts.ts';
import { useStorePart } from '../shared/use-store.ts';

/** Milliseconds: how long events are collected before they are announced, and how long a message is shown. */
const GATHER = 800;
const STAND = 5_000;
const MOST = 4;

interface Sentence {
  id: number;
  text: Words;
}

/** Announces events in the room briefly, visually and to screen readers, grouped so that users can follow. */
export function Messages({ call, local }: { call: Call; local: LocalMedia }) {
  const { sentences, announce } = useSentences();
  useNoticeMessages(call, announce);
  useControlMessages(call, announce);
  useDeviceMessages(local, announce);
  const recording = useStorePart(call.store, ({ conference }) =>
    conference === null ? undefined : (conference.control.recording ?? null),
  );
  const mayRecord = useStorePart(call.store, ({ conference }) => conference?.me.can.record ?? false);
  return (
    <div className="messages" role="status" aria-live="polite" data-testid="call-messages">
      {sentences.map(({ id, text }) => (
        <p key={id}>{text()}</p>
      ))}
      <Suspense fallback={null}>
        <RecordingNews recording={recording} mayRecord={mayRecord} hasSound say={announce} />
      </Suspense>
    </div>
  );
}

/** @param say returns the same messages on each call, in the current language */
type Announce = (say: () => readonly string[]) => void;

/** The messages shown; each disappears after a while. */
function useSentences(): { sentences: readonly Sentence[]; announce: Announce } {
  const [sentences, setSentences] = useState<readonly Sentence[]>([]);
  const count = useRef(0);
  const timers = useTimers();
  const announce: Announce = (say) => {
    const added = say().map((_, index) => ({ id: ++count.current, text: () => say()[index] ?? '' }));
    if (added.length === 0) return;
    setSentences((before) => [...before, ...added].slice(-MOST));
    timers.start(STAND, () => setSentences((before) => before.filter((each) => !added.includes(each))));
  };
  return { sentences, announce };
}

/** Timers that are cleared on unmount. */
function useTimers(): { start: (delay: number, run: () => void) => void } {
  const timers = useRef(new Set<ReturnType<typeof setTimeout>>());
  useEffect(() => {
    const running = timers.current;
    return () => running.forEach(clearTimeout);
  }, []);
  return {
    start: (delay, run) => {
      const timer = setTimeout(() => {
        timers.current.delete(timer);
        run();
      }, delay);
      timers.current.add(timer);
    },
  };
}

/** Collects notices of the call for a short time and announces them together. */
function useNoticeMessages(call: Call, announce: Announce): void {
  const t = useT();
  const notices = useStorePart(call.store, (state) => state.notices);
  const announced = useRef(0);
  const isGathering = useRef(false);
  const timers = useTimers();
  const announceNotices = useEffectEvent(() => {
    const fresh = notices.filter((each) => each.id > announced.current);
    announced.current = notices.at(-1)?.id ?? 0;
    announce(() => sentencesOf(fresh, t));
  });
  const startGathering = useEffectEvent(() => {
    isGathering.current = true;
    timers.start(GATHER, () => {
      isGathering.current = false;
      announceNotices();
    });
  });
  const lastNotice = notices.at(-1)?.id ?? 0;
  useEffect(() => {
    if (lastNotice !== 0 && !isGathering.current) startGathering();
  }, [lastNotice]);
}

/** Announces changes of the control state. */
function useControlMessages(call: Call, announce: Announce): void {
  const t = useT();
  // For the first state there is no earlier one to compare with.
  const control = useStorePart(call.store, (state) => state.conference)?.control ?? null;
  const known = useRef<ConferenceControl | null>(null);
  const announceChange = useEffectEvent((before: ConferenceControl, after: ConferenceControl) => {
    announce(() => controlNews(before, after, { termId: call.termId, byMe: call.store.getSnapshot().ownCommand }, t));
  });
  useEffect(() => {
    if (known.current !== null && control !== null) announceChange(known.current, control);
    known.current = control;
  }, [control]);
}

/** Announces device changes and errors; errors from before joining were shown beside the preview. */
function useDeviceMessages(local: LocalMedia, announce: Announce): void {
  const t = useT();
  const deviceNotice = useStorePart(local.store, (state) => state.notice);
  const cameraError = useStorePart(local.store, (state) => state.camera.error);
  const microphoneError = useStorePart(local.store, (state) => state.microphone.error);
  const screenError = useStorePart(local.store, (state) => state.screen.error);
  const isMounted = useRef(false);
  const announceNotice = useEffectEvent((notice: DeviceNotice) => announce(() => [deviceSentence(notice, t)]));
  const announceError = useEffectEvent((kind: 'camera' | 'microphone' | 'screen', error: DeviceError) =>
    announce(() => [t(`deviceErrors.${kind}.${error}`)]),
  );
  useEffect(() => {
    if (deviceNotice !== null) announceNotice(deviceNotice);
  }, [deviceNotice]);
  useEffect(() => {
    if (cameraError !== null && isMounted.current) announceError('camera', cameraError);
  }, [cameraError]);
  useEffect(() => {
    if (microphoneError !== null && isMounted.current) announceError('microphone', microphoneError);
  }, [microphoneError]);
  useEffect(() => {
    if (screenError !== null) announceError('screen', screenError);
  }, [screenError]);
  useEffect(() => {
    isMounted.current = true;
  }, []);
}
