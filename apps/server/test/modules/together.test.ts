import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { allowancesOf } from '@rmeet/conference';
import type { CommandRequest } from '@rmeet/contract';
import { newId } from '../../src/platform/db/index.ts';
import { codeOf, signIn, type Person } from './support/client.ts';
import { openConference, type Inside, type TestConference } from './support/conference.ts';
import { invite } from './support/meetings.ts';
import { connect } from './support/push.ts';
import { startTestServer, type TestServer } from './support/server.ts';

let server: TestServer;
let chair: Person;
let bob: Person;
let room: TestConference;
let host: Inside;
let member: Inside;
let guest: Inside;

beforeAll(async () => {
  server = await startTestServer();
  [chair, bob] = await Promise.all([signIn(server, 'chair'), signIn(server, 'bob')]);
});
afterAll(() => server.close());
beforeEach(async () => {
  room = await openConference(server, chair, { participants: invite(server, 'bob') });
  host = await room.join(chair);
  member = await room.join(bob);
  guest = await room.guest('Alice');
});
afterEach(() => room.close());

const give = (who: Pick<Inside, 'calls'>, body: CommandRequest) => who.calls.command({ params: room.params, body });
const say = (who: Inside, text: string, more: { to?: string; replyTo?: string } = {}) =>
  who.calls.chat({ params: room.params, body: { id: newId(), text, ...more } });
const textsOf = async (who: Inside) => (await room.watch(who)).state.messages.map(({ text }) => text);

describe('a private message', () => {
  test('reaches its two parties only, by the state and by events, and neither the host nor a desk', async () => {
    const sockets = await Promise.all([host, member, guest].map((who) => room.watch(who)));
    const desk = await room.desk('chair', chair);
    const atDesk = await connect(server, { deskToken: desk.token }, `meeting:${room.meetId}`);
    await say(guest, 'Between us', { to: member.termId });
    const all = await say(guest, 'For all');
    for (const { socket } of sockets)
      await socket.message((m) => 'event' in m && m.event.type === 'chat' && m.event.message.id === all.id);
    const received = sockets.map(({ socket }) => JSON.stringify(socket.messages).includes('Between us'));
    expect(received).toEqual([false, true, true]);
    expect(JSON.stringify(atDesk.messages)).not.toContain('Between us');
    await atDesk.close();

    expect(await textsOf(host)).toEqual(['For all']);
    expect(await textsOf(guest)).toEqual(['Between us', 'For all']);
    // The same account from another page has them again; another guest with that name does not.
    expect(await textsOf(await room.join(bob))).toEqual(['Between us', 'For all']);
    expect(await textsOf(await room.guest('Alice'))).not.toContain('Between us');
  });

  test('does not come back when events are requested again', async () => {
    await say(guest, 'Between us', { to: member.termId });
    const topic = `meeting:${room.meetId}`;
    const late = await connect(server, { sessionToken: host.token });
    late.send({ subscribe: [topic], since: { [topic]: 0 } });
    const all = await say(guest, 'For all');
    await late.message((m) => 'event' in m && m.event.type === 'chat' && m.event.message.id === all.id);
    expect(JSON.stringify(late.messages)).not.toContain('Between us');
    await late.close();
  });

  test('reaches a person inside, and the answer reaches the sender alone', async () => {
    const { id } = await say(guest, 'Between us', { to: member.termId });
    expect(await say(member, 'Yes', { to: guest.termId, replyTo: id })).toMatchObject({ replyTo: id });
    expect(await codeOf(say(member, 'Look', { replyTo: id }))).toBe('REPLY_UNKNOWN');
    expect(await codeOf(say(host, 'Look', { to: guest.termId, replyTo: id }))).toBe('REPLY_UNKNOWN');
    expect(await codeOf(say(guest, 'Me', { to: guest.termId }))).toBe('INVALID_INPUT');
    await member.calls.leave({ params: room.params });
    expect(await codeOf(say(guest, 'Still there?', { to: member.termId }))).toBe('TERMINAL_ABSENT');
  });
});

describe('deleting a message', () => {
  const remove = (who: Inside, id: string) => codeOf(who.calls.deleteMessage({ params: { ...room.params, id } }));

  test('leaves a trace without the text; others delete only if they control, and never private messages', async () => {
    const [own, other, between] = [
      await say(guest, 'Mine'),
      await say(guest, 'Spam'),
      await say(guest, 'Between us', { to: member.termId }),
    ];
    const { socket } = await room.watch(member);
    expect(await remove(member, own.id)).toBe('FORBIDDEN');
    expect(await remove(host, between.id)).toBe('NOT_FOUND');
    expect(await remove(member, between.id)).toBe('FORBIDDEN');
    expect(await remove(guest, own.id)).toBe('OK');
    expect(await remove(host, other.id)).toBe('OK');
    expect(await remove(guest, between.id)).toBe('OK');
    await socket.message((m) => 'event' in m && m.event.type === 'chatDeleted' && m.event.id === between.id);
    expect((await room.watch(member)).state.messages).toMatchObject([
      { id: own.id, text: '', deleted: true },
      { id: other.id, text: '', deleted: true },
      { id: between.id, text: '', deleted: true },
    ]);
  });
});

describe('the permissions that the chair sets', () => {
  test('allow everything at first', async () => {
    expect(allowancesOf(await room.control())).toEqual({
      shareFor: 'all',
      chatFor: 'all',
      reactions: true,
      selfRename: true,
      chatFiles: true,
    });
  });

  test('are set only by people who control, and can be undone', async () => {
    for (const who of [member, guest])
      expect(await codeOf(give(who, { verb: 'allow', reactions: false }))).toBe('FORBIDDEN');
    const answer = await give(host, { verb: 'allow', reactions: false, chatFor: 'hosts' });
    expect(allowancesOf(await room.control())).toMatchObject({ reactions: false, chatFor: 'hosts' });
    await give(host, { verb: 'undo', commandId: answer?.commandId ?? '' });
    expect(allowancesOf(await room.control())).toMatchObject({ reactions: true, chatFor: 'all' });
  });

  test('apply to chat: with hosts only, or not at all', async () => {
    await give(host, { verb: 'allow', chatFor: 'hosts' });
    expect(await codeOf(say(guest, 'Hello'))).toBe('CHAT_HOSTS_ONLY');
    expect(await codeOf(say(guest, 'Hello', { to: member.termId }))).toBe('CHAT_HOSTS_ONLY');
    expect(await codeOf(say(guest, 'Hello', { to: host.termId }))).toBe('OK');
    await give(host, { verb: 'coChairs', termIds: [member.termId], appoint: true });
    expect(await codeOf(say(guest, 'Hello', { to: member.termId }))).toBe('OK');
    await give(host, { verb: 'allow', chatFor: 'nobody' });
    expect(await codeOf(say(guest, 'Hello', { to: host.termId }))).toBe('CHAT_OFF');
    for (const who of [host, member]) expect(await codeOf(say(who, 'Welcome'))).toBe('OK');
  });

  test('apply to reactions, which are no part of the state', async () => {
    const react = (who: Inside) => codeOf(who.calls.react({ params: room.params, body: { reaction: 'heart' } }));
    const { socket } = await room.watch(member);
    expect(await react(guest)).toBe('OK');
    await socket.message((m) => 'event' in m && m.event.type === 'reaction' && m.event.termId === guest.termId);
    await give(host, { verb: 'allow', reactions: false });
    expect([await react(guest), await react(member), await react(host)]).toEqual([
      'REACTIONS_OFF',
      'REACTIONS_OFF',
      'OK',
    ]);
  });

  test('limit reactions of one terminal, and not those of others', async () => {
    const react = (who: Inside) => codeOf(who.calls.react({ params: room.params, body: { reaction: 'party' } }));
    const answers = [];
    for (let at = 0; at < 45; at += 1) answers.push(await react(guest));
    expect(answers.filter((code) => code === 'OK')).toHaveLength(40);
    expect(await react(member)).toBe('OK');
  });

  test('apply to names: guests change their own, members do not', async () => {
    const rename = (who: Inside, name: string) => codeOf(who.calls.renameSelf({ params: room.params, body: { name } }));
    expect(await rename(member, 'Robert')).toBe('FORBIDDEN');
    expect(await rename(guest, 'Dr. Alice')).toBe('OK');
    expect((await room.control()).terminals[guest.termId]?.name).toBe('Dr. Alice');
    expect((await room.log()).at(-1)).toMatchObject({ verb: 'rename', commander: { termId: guest.termId } });
    await give(host, { verb: 'allow', selfRename: false });
    expect(await rename(guest, 'Alice')).toBe('RENAME_OFF');
  });
});
