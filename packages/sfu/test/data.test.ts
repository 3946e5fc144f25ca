import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join as joinPath } from 'node:path';
import {
  DataStream_Header,
  MetricsBatch,
  RpcRequest,
  SpeakerInfo,
  Transcription,
  UserPacket,
  type DataPacket,
} from '@livekit/protocol';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Engine } from '../src/index.ts';
import { limits } from '../src/limits.ts';
import { joinToken, roomService, startEngine, until, type TokenOptions } from './support/engine.ts';
import { MediaClient } from './support/media-client.ts';

const room = 'standup';
let engine: Engine;
let clients: MediaClient[];
const lines: string[] = [];
beforeEach(async () => {
  lines.splice(0);
  clients = [];
  engine = await startEngine({
    log: (_level, message, fields) => lines.push(`${message} ${String(fields['identity'])}`),
  });
});
afterEach(async () => {
  for (const client of clients) client.leave();
  await engine.close();
});

async function join(identity: string, options: TokenOptions = {}): Promise<MediaClient> {
  const client = new MediaClient(engine.port, await joinToken(identity, room, options));
  clients.push(client);
  return await client.connect();
}

function user(text: string, fields: Partial<UserPacket> = {}): { case: 'user'; value: UserPacket } {
  return { case: 'user', value: new UserPacket({ payload: Buffer.from(text), ...fields }) };
}

function texts(client: MediaClient): string[] {
  return client.packets.flatMap(({ value }) =>
    value.case === 'user' ? [Buffer.from(value.value.payload).toString()] : [],
  );
}

/** Everything sent before has arrived when this has. */
async function settled(from: MediaClient, ...to: MediaClient[]): Promise<void> {
  from.sendData('reliable', { value: user('end') });
  for (const client of to) await until('the last message comes', () => texts(client).includes('end'));
}

it('reaches the named destinations, in the old or the new form, with its sender', async () => {
  const [alice, bob, carol] = [await join('alice'), await join('bob'), await join('carol')];
  const carolSid = (await carol.message('join')).participant!.sid;
  alice.sendData('reliable', {
    destinationIdentities: ['bob'],
    participantIdentity: 'carol',
    value: user('new', { topic: 'chat' }),
  });
  alice.sendData('reliable', { value: user('old', { destinationIdentities: ['bob'] }) });
  alice.sendData('reliable', { value: user('sid', { destinationSids: [carolSid] }) });
  alice.sendData('lossy', { destinationIdentities: ['bob'], value: user('lossy') });
  await settled(alice, bob, carol);
  expect(texts(bob).toSorted()).toEqual(['end', 'lossy', 'new', 'old']);
  expect(texts(carol)).toEqual(['sid', 'end']);
  expect(texts(alice)).toEqual([]);
  const first = bob.packets.find(({ value }) => value.case === 'user' && value.value.topic === 'chat')!;
  expect(first).toMatchObject({
    participantIdentity: 'alice',
    destinationIdentities: ['bob'],
    value: { value: { participantIdentity: 'alice' } },
  });
});

it('passes calls and streams on unchanged, but no messages reserved for the server or agents', async () => {
  const [alice, bob] = [await join('alice'), await join('bob', { canSubscribeMetrics: true })];
  const bot = await join('bot', { agent: true });
  alice.sendData('reliable', {
    destinationIdentities: ['bob'],
    value: { case: 'rpcRequest', value: new RpcRequest({ id: 'r1', method: 'm', payload: 'p' }) },
  });
  alice.sendData('reliable', { value: { case: 'streamHeader', value: new DataStream_Header({ streamId: 's1' }) } });
  alice.sendData('reliable', {
    value: { case: 'speaker', value: { speakers: [new SpeakerInfo({ sid: 'PA_x', active: true })] } },
  });
  alice.sendData('reliable', { value: { case: 'transcription', value: new Transcription({ trackId: 'TR_x' }) } });
  alice.sendData('reliable', { value: { case: 'metrics', value: new MetricsBatch({ strData: ['x'] }) } });
  await settled(alice, bob, bot);
  bot.sendData('reliable', { value: { case: 'transcription', value: new Transcription({ trackId: 'TR_y' }) } });
  await until('the transcription comes', () => bob.packets.some(({ value }) => value.case === 'transcription'));
  const kinds = (client: MediaClient) => client.packets.map(({ value }) => value.case);
  expect(kinds(bob)).toEqual(['rpcRequest', 'streamHeader', 'metrics', 'user', 'transcription']);
  expect(kinds(bot)).toEqual(['streamHeader', 'user']);
  expect(bob.packets[0]).toMatchObject({
    participantIdentity: 'alice',
    value: { value: { id: 'r1', method: 'm', payload: 'p' } },
  });
});

it('omits the names of hidden senders, and accepts nothing from those who may not send', async () => {
  const [ghost, mute, bob] = [
    await join('ghost', { hidden: true }),
    await join('mute', { canPublishData: false }),
    await join('bob'),
  ];
  mute.sendData('reliable', { value: user('no') });
  ghost.sendData('reliable', { value: user('boo') });
  await settled(ghost, bob);
  expect(texts(bob)).toEqual(['boo', 'end']);
  expect(bob.packets[0]).toMatchObject({
    participantIdentity: '',
    value: { value: { participantIdentity: '', participantSid: '' } },
  });
});

it('passes a reliable message on once, even if it is sent twice after a resume or under one nonce', async () => {
  const [alice, bob] = [await join('alice'), await join('bob')];
  for (const sequence of [1, 2, 1, 2, 3]) alice.sendData('reliable', { sequence, value: user(`s${sequence}`) });
  const nonce = Buffer.alloc(16, 7);
  for (const text of ['n', 'again']) alice.sendData('reliable', { value: user(text, { nonce }) });
  await roomService(engine).sendData(room, Buffer.from('by server'), 0, { destinationIdentities: ['bob'] });
  await settled(alice, bob);
  await until('the message of the server comes', () => texts(bob).includes('by server'));
  expect(texts(bob).filter((text) => text !== 'by server')).toEqual(['s1', 's2', 's3', 'n', 'end']);
  const numbered = bob.packets.filter((packet: DataPacket) => packet.sequence > 0);
  expect(numbered.map(({ sequence, participantSid }) => [sequence, participantSid.slice(0, 3)])).toEqual([
    [1, 'PA_'],
    [2, 'PA_'],
    [3, 'PA_'],
  ]);
});

it('keeps reliable messages for a participant that has joined but is not connected yet', async () => {
  const alice = await join('alice');
  const late = new MediaClient(engine.port, await joinToken('late', room));
  clients.push(late);
  await late.message('join');
  alice.sendData('reliable', { value: user('early') });
  await roomService(engine).sendData(room, Buffer.from('by server'), 0, { destinationIdentities: ['late'] });
  await late.connect();
  await until('both have come', () => late.packets.length === 2);
  expect(texts(late).toSorted()).toEqual(['by server', 'early']);
});

it('disconnects a participant that does not read and is too far behind, and no other', async () => {
  const bob = await join('bob');
  const listener = fork(
    joinPath(import.meta.dirname, 'support', 'data-listener.ts'),
    [String(engine.port), await joinToken('sleeper', room)],
    { execArgv: [] },
  );
  await once(listener, 'message');
  listener.kill('SIGSTOP');
  try {
    const service = roomService(engine);
    const message = Buffer.alloc(60_000);
    const rounds = Math.ceil(limits.reliableBacklogBytes / message.length) + 30;
    for (let round = 0; round < rounds; round += 1) await service.sendData(room, message, 0, {});
    await until('the sleeper is cut off', () => lines.includes('participant too slow for reliable data sleeper'));
    await until('bob has everything', () => bob.packets.length === rounds);
    expect((await service.listParticipants(room)).map(({ identity }) => identity)).toEqual(['bob']);
    expect(lines.filter((line) => line.startsWith('participant too slow'))).toHaveLength(1);
  } finally {
    listener.kill('SIGKILL');
  }
});
