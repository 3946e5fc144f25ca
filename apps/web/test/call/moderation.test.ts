import { expect, test } from 'vitest';
import { NO_HOLDS, outgoingOf } from '../../src/call/moderation.ts';

const track = (kind: string) => ({ kind }) as MediaStreamTrack;
const on = (kind: string) => ({ on: true, track: track(kind), error: null });
/** A participant who sends everything. */
const local = {
  camera: on('camera'),
  microphone: on('microphone'),
  screen: { video: track('screen'), audio: track('screenAudio') },
} as Parameters<typeof outgoingOf>[0];

test.each([
  ['nothing: all of it', {}, ['camera', 'microphone', 'screen', 'screenAudio']],
  ['the microphone: no sound at all, that of the shared screen included', { microphone: true }, ['camera', 'screen']],
  ['the camera', { camera: true }, ['microphone', 'screen', 'screenAudio']],
  ['content, which is off', { content: 'off' as const }, ['camera', 'microphone']],
  ['content, which another alone may share', { content: 'locked' as const }, ['camera', 'microphone']],
])('the sources that are sent while the chair holds %s', (_, held, expected) => {
  const outgoing = Object.entries(outgoingOf(local, { ...NO_HOLDS, ...held }));
  expect(outgoing.filter(([, sent]) => sent !== null).map(([source]) => source)).toEqual(expected);
});
