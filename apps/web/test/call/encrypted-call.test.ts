import { expect, test } from 'vitest';
import type { ChatMessage } from '@rmeet/contract';
import { Call } from '../../src/call/index.ts';
import { ChatCipher } from '../../src/call/chat-cipher.ts';
import { newMeetingKey } from '../../src/lib/meetingKeys.ts';
import { eventually } from '../support.ts';
import { admitted, createPorts, silentMedia } from './fakes.ts';
import { conferenceOf } from './people.ts';

const message = (id: number, text: string): ChatMessage => ({
  id: `0198f6a2-7e6d-7c40-9a11-5b1f0e3c2d${id}`,
  termId: 'bob',
  name: 'Bob',
  text,
  sentAt: '2026-11-20T09:00:00.000Z',
});

async function encryptedCall() {
  const key = newMeetingKey();
  const world = createPorts();
  const call = new Call({ ...admitted('first'), e2ee: true }, 'Alice', silentMedia(), {
    ...world.ports,
    meetingKey: key,
  });
  await eventually(() => expect(world.sessions).toHaveLength(1));
  const [session] = world.sessions;
  const [push] = world.pushes;
  if (session === undefined || push === undefined) throw new Error('nothing was opened');
  push.status('open');
  session.events.onState('connected');
  const texts = () => call.store.getSnapshot().conference?.messages.map(({ text, unreadable }) => unreadable ?? text);
  /** Bob's message as the server passes it on. */
  const fromBob = async (id: number, text: string, with_ = key) => {
    const as = message(id, '');
    return message(id, await new ChatCipher(with_).seal(text, as));
  };
  return { key, call, session, push, texts, fromBob };
}

test('an encrypted call gives the key to the media, and shows and announces the chat in the clear', async () => {
  const { key, call, session, push, texts, fromBob } = await encryptedCall();
  expect(session.key).toBe(key);
  expect(call.store.getSnapshot().e2ee).toBe(true);
  push.snapshot(conferenceOf('alice', [], { messages: [await fromBob(10, 'Earlier')] }));
  await eventually(() => expect(texts()).toEqual(['Earlier']));
  push.event({ type: 'chat', message: await fromBob(11, 'Hello') });
  await eventually(() => expect(texts()).toEqual(['Earlier', 'Hello']));
  const { notices, unread } = call.store.getSnapshot();
  expect(notices.at(-1)).toMatchObject({ kind: 'chat', name: 'Bob', text: 'Hello' });
  expect(unread).toBe(1);
  call.leave().catch(() => undefined);
});

test('a text of another key is marked, until the key is changed', async () => {
  const { call, session, push, texts, fromBob } = await encryptedCall();
  const other = newMeetingKey();
  push.snapshot(conferenceOf('alice', []));
  push.event({ type: 'chat', message: await fromBob(10, 'Hello', other) });
  await eventually(() => expect(texts()).toEqual([true]));
  session.people = [
    {
      termId: 'bob',
      name: 'Bob',
      camera: null,
      screen: null,
      sharing: false,
      microphoneOn: true,
      quality: 'good',
      undecryptable: true,
    },
  ];
  session.events.onChange();
  await eventually(() => expect(call.store.getSnapshot().undecryptable).toEqual(['bob']));
  call.rekey(other);
  expect(session.key).toBe(other);
  await eventually(() => expect(texts()).toEqual(['Hello']));
  call.leave().catch(() => undefined);
});

test('what is said leaves the page encrypted, and is readable here', async () => {
  const { key, call, push, texts } = await encryptedCall();
  push.snapshot(conferenceOf('alice', []));
  const sent: string[] = [];
  const { chat } = call.api;
  call.api.chat = async (input) => {
    sent.push(
      input.body.text,
      (await new ChatCipher(key).open(input.body.text, { id: input.body.id, termId: 'alice' })) ?? '',
    );
    return chat(input);
  };
  await call.say('The patient is stable');
  expect(sent[0]).toMatch(/^e2ee1:/);
  expect(sent[1]).toBe('The patient is stable');
  expect(texts()).toEqual(['The patient is stable']);
  call.leave().catch(() => undefined);
});
