import { until } from '@rmeet/testkit';
import {
  AccessToken,
  DataPacket_Kind,
  TrackSource,
  TrackType,
  type VideoGrant,
  type WebhookEvent,
} from 'livekit-server-sdk';
import { expect, meets, test, type Engine } from './support.ts';

const http = ({ url }: Engine): string => url.replace('ws', 'http');

/** One call with only these grants: the HTTP status and the error's code, if the answer has one. */
async function call(
  engine: Engine,
  method: string,
  body: object,
  grant: VideoGrant | undefined,
  secret = engine.apiSecret,
): Promise<string> {
  const token = new AccessToken(engine.apiKey, secret, { identity: 'server', ttl: 60 });
  if (grant) token.addGrant(grant);
  const response = await fetch(`${http(engine)}/twirp/livekit.RoomService/${method}`, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json', authorization: `Bearer ${await token.toJwt()}` },
  });
  const answer = await response.text();
  return `${response.status} ${/"code":"(\w+)"/.exec(answer)?.[1] ?? ''}`;
}

test('rooms are created, listed, described and deleted, with all their participants', async ({ room }) => {
  const { api, name } = room;
  const made = await api.createRoom({
    name,
    emptyTimeout: 60,
    departureTimeout: 30,
    maxParticipants: 2,
    metadata: '{"phase":1}',
  });
  expect(made).toMatchObject({
    name,
    emptyTimeout: 60,
    departureTimeout: 30,
    maxParticipants: 2,
    metadata: '{"phase":1}',
    numParticipants: 0,
  });
  expect(made.sid).toMatch(/^RM_/);
  const [alice, bob] = [await room.join('alice'), await room.join('bob')];
  expect((await alice.state()).metadata).toBe('{"phase":1}');
  await expect(room.join('carol')).rejects.toThrow();
  await until('two are counted', async () => (await api.listRooms([name]))[0]?.numParticipants === 2);
  expect((await api.updateRoomMetadata(name, '{"phase":2}')).metadata).toBe('{"phase":2}');
  for (const page of [alice, bob]) await page.isTold('RoomMetadataChanged {"phase":2}');
  expect((await api.listRooms()).map((listed) => listed.name)).toContain(name);
  await api.deleteRoom(name);
  for (const page of [alice, bob]) await page.isTold('Disconnected 5');
  expect(await api.listRooms([name])).toEqual([]);
});

test('participants are described with their published tracks', async ({ room }) => {
  const { api, name } = room;
  await room.join('alice', { publish: true, name: 'Alice A.', metadata: 'm', attributes: { hand: 'up' } });
  await room.joinHeadless('watcher', { grant: { hidden: true } });
  const bob = await room.join('bob');
  await meets(bob, 'alice');
  const listed = await api.listParticipants(name);
  expect(listed.map(({ identity }) => identity).toSorted()).toEqual(['alice', 'bob', 'watcher']);
  const alice = await api.getParticipant(name, 'alice');
  expect(alice).toMatchObject({
    identity: 'alice',
    name: 'Alice A.',
    metadata: 'm',
    attributes: { hand: 'up' },
    isPublisher: true,
    state: 2,
  });
  expect(alice.sid).toMatch(/^PA_/);
  expect(Math.abs(Number(alice.joinedAt) - Date.now() / 1000)).toBeLessThan(60);
  expect(alice.permission).toMatchObject({ canPublish: true, canSubscribe: true, canPublishData: true, hidden: false });
  const tracks = alice.tracks.toSorted((a, b) => a.type - b.type);
  expect(tracks.map(({ type, source, muted }) => ({ type, source, muted }))).toEqual([
    { type: TrackType.AUDIO, source: TrackSource.MICROPHONE, muted: false },
    { type: TrackType.VIDEO, source: TrackSource.CAMERA, muted: false },
  ]);
  expect(tracks[1]).toMatchObject({ width: 320, height: 180, mimeType: 'video/VP8' });
  expect(await api.getParticipant(name, 'bob')).toMatchObject({ isPublisher: false });
});

test('what the server changes of a participant reaches all participants', async ({ room }) => {
  const { api, name } = room;
  const [alice, bob] = [await room.join('alice'), await room.join('bob')];
  const changed = await api.updateParticipant(name, 'alice', {
    name: 'Guest 1',
    metadata: 'seen',
    attributes: { hand: 'down' },
  });
  expect(changed).toMatchObject({ name: 'Guest 1', metadata: 'seen', attributes: { hand: 'down' } });
  await until('bob knows', async () => (await bob.knows('alice'))?.attributes['hand'] === 'down');
  expect(await bob.knows('alice')).toMatchObject({ name: 'Guest 1', metadata: 'seen' });
  expect((await alice.state()).me).toMatchObject({ name: 'Guest 1', metadata: 'seen', attributes: { hand: 'down' } });
});

test('the server subscribes for a participant, and unsubscribes', async ({ room }) => {
  const { api, name } = room;
  await room.join('alice', { publish: true });
  const bob = await room.join('bob', { options: { connect: { autoSubscribe: false } } });
  const { tracks } = await api.getParticipant(name, 'alice');
  const sids = tracks.map(({ sid }) => sid);
  await api.updateSubscriptions(name, 'bob', sids, true);
  await meets(bob, 'alice');
  await api.updateSubscriptions(name, 'bob', sids, false);
  await until('bob gets nothing', async () => (await bob.received()).length === 0);
});

test('the server sends data to all or to some', async ({ room }) => {
  const { api, name } = room;
  const [alice, bob] = [await room.join('alice'), await room.join('bob')];
  const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
  await api.sendData(name, bytes('for alice'), DataPacket_Kind.RELIABLE, {
    destinationIdentities: ['alice'],
    topic: 'desk',
  });
  await api.sendData(name, bytes('for all'), DataPacket_Kind.RELIABLE, { topic: 'desk' });
  await until('alice has both', async () => (await alice.state()).messages.length === 2);
  await until('bob has one', async () => (await bob.state()).messages.length === 1);
  expect((await alice.state()).messages).toEqual(['server reliable desk for alice', 'server reliable desk for all']);
  expect((await bob.state()).messages).toEqual(['server reliable desk for all']);
});

test('unknown objects and forbidden calls are refused with their code', async ({ room, engine }) => {
  const { name } = room;
  await room.join('alice');
  const admin = { roomAdmin: true, room: name };
  expect(await call(engine, 'ListRooms', {}, { roomList: true }, 'another secret of at least 32 bytes here')).toMatch(
    /^401/,
  );
  expect(await call(engine, 'ListRooms', {}, { roomJoin: true, room: name })).toBe('401 unauthenticated');
  expect(await call(engine, 'CreateRoom', { name: 'x' }, admin)).toBe('401 unauthenticated');
  expect(await call(engine, 'ListParticipants', { room: name }, { roomAdmin: true, room: 'another' })).toBe(
    '401 unauthenticated',
  );
  expect(await call(engine, 'GetParticipant', { room: name, identity: 'nobody' }, admin)).toBe('404 not_found');
  expect(await call(engine, 'RemoveParticipant', { room: name, identity: 'nobody' }, admin)).toBe('404 not_found');
  expect(
    await call(engine, 'UpdateRoomMetadata', { room: 'missing', metadata: '' }, { roomAdmin: true, room: 'missing' }),
  ).toBe('404 not_found');
  expect(await call(engine, 'NoSuchMethod', {}, admin)).toBe('404 bad_route');
});

test('a token that is wrong, expired or without grant is refused', async ({ room, engine }) => {
  const reject = async (secret: string, ttl: number, grant: VideoGrant): Promise<number> => {
    const token = new AccessToken(engine.apiKey, secret, { identity: 'alice', ttl });
    token.addGrant(grant);
    return (await fetch(`${http(engine)}/rtc/validate?access_token=${await token.toJwt()}`)).status;
  };
  const grant = { roomJoin: true, room: room.name };
  expect(await reject(engine.apiSecret, 60, grant)).toBe(200);
  expect(await reject('another secret of at least 32 bytes here', 60, grant)).toBe(401);
  expect(await reject(engine.apiSecret, -120, grant)).toBe(401);
  expect(await reject(engine.apiSecret, 60, { roomList: true })).toBe(401);
  expect((await fetch(`${http(engine)}/rtc/validate`)).status).toBe(401);
});

test('webhooks report, signed, rooms, participants and tracks', async ({ room, engine }) => {
  const of = (name: string): WebhookEvent[] =>
    engine.webhooks.events.filter(({ event, room: about }) => event === name && about?.name === room.name);
  const alice = await room.join('alice', { publish: true });
  await until(
    'four events',
    () => of('room_started').length + of('participant_joined').length + of('track_published').length === 4,
  );
  expect(of('participant_joined')[0]!.participant!.identity).toBe('alice');
  expect(
    of('track_published')
      .map(({ track }) => track!.source)
      .toSorted((a, b) => a - b),
  ).toEqual([TrackSource.CAMERA, TrackSource.MICROPHONE]);
  expect(
    of('track_published').every(
      ({ id, createdAt, participant }) => id && Number(createdAt) > 0 && participant!.identity === 'alice',
    ),
  ).toBe(true);
  await alice.run('unpublish', 'camera');
  await until('it is told', () => of('track_unpublished').length === 1);
  await alice.run('leave');
  await until('it is told', () => of('participant_left').length === 1);
  await room.api.deleteRoom(room.name);
  await until('it is told', () => of('room_finished').length === 1);
  expect(engine.webhooks.refused).toEqual([]);
});
