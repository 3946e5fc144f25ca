import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { get } from 'node:http';
import {
  DisconnectReason,
  LeaveRequest_Action,
  TrackSource,
  TrackType,
  AddTrackRequest,
  RequestResponse_Reason,
  RoomConfiguration,
  SessionDescription,
} from '@livekit/protocol';
import { decodeJwt } from 'jose';
import { AccessToken, RoomServiceClient } from 'livekit-server-sdk';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Engine } from '../src/index.ts';
import { apiKey, apiSecret, joinToken, roomService, startEngine, until } from './support/engine.ts';
import { dualUrl, RawClient, singleUrl } from './support/raw-client.ts';

let engine: Engine;
let service: RoomServiceClient;
beforeEach(async () => {
  engine = await startEngine({ emptyTimeout: 1, departureTimeout: 1 });
  service = roomService(engine);
});
afterEach(async () => {
  await engine.close();
});

const room = 'standup';
const join = async (identity: string, grant = {}) => {
  const client = new RawClient(dualUrl(engine.port, await joinToken(identity, room, grant)));
  await client.message('join');
  return client;
};
const post = async (method: string, body: string, grant: Record<string, unknown> | undefined, owner = 'livekit') => {
  const token = new AccessToken(apiKey, apiSecret, { identity: 'server', ttl: 60 });
  if (grant) token.addGrant(grant);
  return await fetch(`http://127.0.0.1:${engine.port}/twirp/${owner}.RoomService/${method}`, {
    method: 'POST',
    body,
    headers: {
      'content-type': 'application/json',
      ...(grant ? { authorization: `Bearer ${await token.toJwt()}` } : {}),
    },
  });
};

describe('RoomService', () => {
  it('creates, lists, changes and deletes rooms', async () => {
    const made = await service.createRoom({ name: room, metadata: 'm', maxParticipants: 5, emptyTimeout: 60 });
    expect(made).toMatchObject({
      name: room,
      metadata: 'm',
      maxParticipants: 5,
      emptyTimeout: 60,
      departureTimeout: 1,
    });
    expect(made.sid).toMatch(/^RM_\w{12}$/);
    const same = await service.createRoom({ name: room });
    expect(same.sid).toBe(made.sid);
    await service.createRoom({ name: 'other' });
    expect((await service.listRooms([room])).map(({ name }) => name)).toEqual([room]);
    const bob = await join('bob');
    expect((await service.listRooms([room]))[0]?.numParticipants).toBe(1);
    expect((await service.listParticipants(room)).map(({ identity }) => identity)).toEqual(['bob']);
    await service.updateParticipant(room, 'bob', { name: 'Bob B.', metadata: 'x', attributes: { hand: 'up' } });
    expect(await service.getParticipant(room, 'bob')).toMatchObject({
      name: 'Bob B.',
      metadata: 'x',
      attributes: { hand: 'up' },
    });
    await service.updateParticipant(room, 'bob', { attributes: { hand: '' } });
    expect((await service.getParticipant(room, 'bob')).attributes).toEqual({});
    await service.deleteRoom(room);
    expect(await bob.message('leave')).toMatchObject({
      action: LeaveRequest_Action.DISCONNECT,
      reason: DisconnectReason.ROOM_DELETED,
    });
    await until('the socket is closed', () => bob.closed);
  });

  it.each([
    ['no token', 'ListRooms', '{}', undefined, 401, 'unauthenticated'],
    ['no grant', 'ListRooms', '{}', { roomJoin: true }, 401, 'unauthenticated'],
    [
      'admin of another room',
      'ListParticipants',
      '{"room":"a"}',
      { roomAdmin: true, room: 'b' },
      401,
      'unauthenticated',
    ],
    [
      'a participant nobody knows',
      'GetParticipant',
      '{"room":"a","identity":"x"}',
      { roomAdmin: true, room: 'a' },
      404,
      'not_found',
    ],
    [
      'to move without the destination in the token',
      'MoveParticipant',
      '{"room":"a","identity":"x","destination_room":"b"}',
      { roomAdmin: true, room: 'a' },
      401,
      'unauthenticated',
    ],
    [
      'to move',
      'MoveParticipant',
      '{"room":"a","identity":"x","destination_room":"b"}',
      { roomAdmin: true, room: 'a', destinationRoom: 'b' },
      500,
      'unknown',
    ],
    [
      'to forward to the same room',
      'ForwardParticipant',
      '{"room":"a","identity":"x","destination_room":"a"}',
      { roomAdmin: true, room: 'a', destinationRoom: 'a' },
      400,
      'invalid_argument',
    ],
    [
      'a nonce of another length',
      'SendData',
      '{"room":"standup","nonce":"AAAA"}',
      { roomAdmin: true, room: 'standup' },
      400,
      'invalid_argument',
    ],
    ['unknown room', 'DeleteRoom', '{"room":"none"}', { roomCreate: true }, 404, 'not_found'],
    [
      'unknown participant',
      'RemoveParticipant',
      '{"room":"a","identity":"x"}',
      { roomAdmin: true, room: 'a' },
      404,
      'not_found',
    ],
    ['no name', 'CreateRoom', '{}', { roomCreate: true }, 400, 'invalid_argument'],
    ['no JSON', 'CreateRoom', '{"name":', { roomCreate: true }, 400, 'malformed'],
    [
      'a number no field holds',
      'SendData',
      '{"room":"standup","kind":1e300}',
      { roomAdmin: true, room: 'standup' },
      400,
      'malformed',
    ],
    ['wrong type', 'CreateRoom', '{"name":7}', { roomCreate: true }, 400, 'malformed'],
    ['too large', 'CreateRoom', `{"name":"${'x'.repeat(300_000)}"}`, { roomCreate: true }, 400, 'malformed'],
    ['unknown method', 'Explode', '{}', { roomCreate: true }, 404, 'bad_route'],
  ])('refuses: %s', async (_name, method, body, grant, status, code) => {
    await service.createRoom({ name: room });
    const response = await post(method, body, grant);
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ code });
  });

  it('accepts snake_case names and ignores unknown fields, as Twirp servers do', async () => {
    const response = await post('CreateRoom', '{"name":"n","max_participants":3,"later":true}', { roomCreate: true });
    expect(await response.json()).toMatchObject({ name: 'n', max_participants: 3, num_participants: 0 });
  });
});

it('refuses a call whose body differs from the hash in its token', async () => {
  const call = async (body: string) => {
    const token = new AccessToken(apiKey, apiSecret, { ttl: 60 });
    token.addGrant({ roomCreate: true });
    token.sha256 = createHash('sha256').update('{"name":"n"}').digest('base64');
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${await token.toJwt()}` };
    return (
      await fetch(`http://127.0.0.1:${engine.port}/twirp/livekit.RoomService/CreateRoom`, {
        method: 'POST',
        body,
        headers,
      })
    ).status;
  };
  expect([await call('{"name":"n"}'), await call('{"name":"m"}')]).toEqual([200, 401]);
});

describe('UpdateParticipants, our own call', () => {
  const update = async (body: unknown, grant: Record<string, unknown> | undefined) => {
    const answer = await post(
      'UpdateParticipants',
      typeof body === 'string' ? body : JSON.stringify(body),
      grant,
      'rmeet',
    );
    return [answer.status, await answer.json()];
  };

  it('changes many at once, notifies each and all, skips absent ones, and names refused ones', async () => {
    const [bob, carol] = [await join('bob'), await join('carol')];
    const participants = [
      { identity: 'bob', permission: { canPublish: true, canSubscribe: true, canPublishSources: ['CAMERA'] } },
      { identity: 'carol', name: 'Carol C.' },
      { identity: 'nobody', name: 'N.' },
      { identity: 'bob', name: 'x'.repeat(100_000) },
    ];
    expect(await update({ room, participants }, { roomAdmin: true, room })).toEqual([200, { failed: ['bob'] }]);
    expect(await service.getParticipant(room, 'bob')).toMatchObject({
      name: 'bob',
      permission: { canPublishSources: [TrackSource.CAMERA] },
    });
    await until('bob knows what carol is called', () =>
      bob.received.some(
        (message) => message.case === 'update' && message.value.participants.some(({ name }) => name === 'Carol C.'),
      ),
    );
    expect(await carol.message('refreshToken')).toBeTypeOf('string');
  });

  it.each([
    ['no token', { room, participants: [] }, undefined, 401, 'unauthenticated'],
    ['another room', { room, participants: [] }, { roomAdmin: true, room: 'other' }, 401, 'unauthenticated'],
    ['the token of a participant', { room, participants: [] }, { roomJoin: true, room }, 401, 'unauthenticated'],
    ['no room', { participants: [] }, { roomAdmin: true, room }, 400, 'malformed'],
    ['no list', { room }, { roomAdmin: true, room }, 400, 'malformed'],
    [
      'a number no field holds',
      { room, participants: [{ identity: 'alice', permission: { canPublishSources: [1e300] } }] },
      { roomAdmin: true, room },
      400,
      'malformed',
    ],
    [
      'a list of something else',
      { room, participants: [{ identity: 7 }] },
      { roomAdmin: true, room },
      400,
      'malformed',
    ],
    ['no JSON', '{', { roomAdmin: true, room }, 400, 'malformed'],
  ])('refuses %s', async (_, body, grant, status, code) => {
    expect(await update(body, grant)).toMatchObject([status, { code }]);
  });
});

it('lists 150 participants fast, as they are at that moment', async () => {
  const clients = await Promise.all(Array.from({ length: 150 }, async (_, index) => await join(`p${index}`)));
  await service.listParticipants(room);
  const started = performance.now();
  for (let round = 0; round < 20; round += 1)
    await post('ListParticipants', JSON.stringify({ room }), { roomAdmin: true, room });
  expect((performance.now() - started) / 20).toBeLessThan(50);
  await service.updateParticipant(room, 'p7', { name: 'Seven' });
  const listed = await service.listParticipants(room);
  expect(listed).toHaveLength(150);
  expect(listed.find(({ identity }) => identity === 'p7')?.name).toBe('Seven');
  for (const client of clients) client.socket.terminate();
}, 30_000);

it('counts participants without recorders and hidden ones, and closes if only those are left', async () => {
  const recorder = await join('recorder', { recorder: true, hidden: true });
  const listener = await join('listener', { hidden: true });
  const [info] = await service.listRooms([room]);
  expect(info).toMatchObject({ numParticipants: 1, activeRecording: true });
  listener.send({ case: 'leave', value: {} as never });
  expect(await recorder.message('leave')).toMatchObject({ reason: DisconnectReason.ROOM_CLOSED });
});

it('tells others what a client supports, and why a participant left', async () => {
  const alice = await join('alice');
  const attributes = Buffer.from('{"hand":"up"}').toString('base64url');
  const more = `&client_protocol=2&capabilities=CAP_PACKET_TRAILER,CAP_NONE&attributes=${attributes}`;
  const bob = new RawClient(dualUrl(engine.port, await joinToken('bob', room, { canUpdateOwnMetadata: true }), more));
  await bob.message('join');
  expect(await service.getParticipant(room, 'bob')).toMatchObject({
    clientProtocol: 2,
    capabilities: [1],
    attributes: { hand: 'up' },
  });
  await service.removeParticipant(room, 'bob');
  const left = await until('alice knows that bob is gone', () =>
    alice.received
      .flatMap((message) => (message.case === 'update' ? message.value.participants : []))
      .find(({ disconnectReason }) => disconnectReason !== DisconnectReason.UNKNOWN_REASON),
  );
  expect(left).toMatchObject({ identity: 'bob', disconnectReason: DisconnectReason.PARTICIPANT_REMOVED });
});

it('applies the room settings of the token that opens it', async () => {
  const token = new AccessToken(apiKey, apiSecret, { identity: 'alice', ttl: 60 });
  token.addGrant({ roomJoin: true, room });
  token.roomConfig = new RoomConfiguration({ maxParticipants: 1, metadata: 'by token' });
  const alice = new RawClient(dualUrl(engine.port, await token.toJwt()));
  expect((await alice.message('join')).room).toMatchObject({ metadata: 'by token', maxParticipants: 1 });
  const bob = new RawClient(dualUrl(engine.port, await joinToken('bob', room)));
  await bob.message('leave');
  await join('recorder', { recorder: true });
});

describe('joining', () => {
  it('refuses with the status that clients act on', async () => {
    const validate = async (path: string, token?: string) => {
      const query = token === undefined ? '' : `?access_token=${token}`;
      return (await fetch(`http://127.0.0.1:${engine.port}${path}/validate${query}`)).status;
    };
    const good = await joinToken('alice', room);
    expect([await validate('/rtc', good), await validate('/rtc/v1', good)]).toEqual([200, 200]);
    expect(await validate('/rtc')).toBe(401);
    expect(await validate('/rtc', 'rubbish')).toBe(401);
    expect(await validate('/rtc', await joinToken('alice', room, { roomJoin: false }))).toBe(401);
    expect(await validate('/rtc', await joinToken('alice', ''))).toBe(400);
    const older = await startEngine({ disableV1: true });
    const statuses = await Promise.all(
      ['/rtc/v1/validate', '/rtc/v1'].map(
        async (path) => (await fetch(`http://127.0.0.1:${older.port}${path}?access_token=${good}`)).status,
      ),
    );
    expect(statuses).toEqual([404, 404]);
    await older.close();
  });

  it('opens a room automatically and closes it when all have left', async () => {
    const alice = await join('alice');
    expect((await service.listRooms()).map(({ name }) => name)).toEqual([room]);
    alice.send({ case: 'leave', value: {} as never });
    await until('the room is gone', async () => (await service.listRooms()).length === 0);
  });

  it('closes a room that no one joined', async () => {
    await service.createRoom({ name: 'waiting' });
    await until('it is gone', async () => (await service.listRooms()).length === 0);
  });

  it("admits no more than the room's limit, but lets participants return", async () => {
    await service.createRoom({ name: room, maxParticipants: 1 });
    const alice = await join('alice');
    const bob = new RawClient(dualUrl(engine.port, await joinToken('bob', room)));
    expect(await bob.message('leave')).toMatchObject({
      action: LeaveRequest_Action.DISCONNECT,
      reason: DisconnectReason.JOIN_FAILURE,
    });
    await join('alice');
    expect(await alice.message('leave')).toMatchObject({ reason: DisconnectReason.DUPLICATE_IDENTITY });
  });

  it.each(['/rtc', '/rtc/v1'])(
    'asks a client that resumes without a participant to reconnect, over %s',
    async (path) => {
      const token = await joinToken('alice', room);
      const url =
        path === '/rtc'
          ? dualUrl(engine.port, token, '&reconnect=1&sid=PA_x')
          : singleUrl(engine.port, token, { reconnect: true, participantSid: 'PA_x' });
      const leave = await new RawClient(url).message('leave');
      expect(leave.action).toBe(LeaveRequest_Action.RECONNECT);
    },
  );

  it('sends a token with a longer validity, and another one with every change', async () => {
    const alice = await join('alice', { ttl: 12 });
    const token = await alice.message('refreshToken');
    await service.updateParticipant(room, 'alice', { permission: { canPublish: true, canSubscribe: false } });
    const tokens = await until('a second token comes', () => {
      const all = alice.received.flatMap((message) => (message.case === 'refreshToken' ? [message.value] : []));
      return all.length > 1 ? all : undefined;
    });
    expect(decodeJwt(tokens[1]!)).toMatchObject({ sub: 'alice', video: { canSubscribe: false } });
    const again = new RawClient(dualUrl(engine.port, token));
    expect((await again.message('join')).participant?.identity).toBe('alice');
  });

  it('refuses tracks of a source the token does not name', async () => {
    const alice = await join('alice', { canPublishSources: [TrackSource.MICROPHONE] });
    alice.send({
      case: 'addTrack',
      value: new AddTrackRequest({ cid: 'c', type: TrackType.VIDEO, source: TrackSource.CAMERA }),
    });
    expect((await alice.message('requestResponse')).reason).toBe(RequestResponse_Reason.NOT_ALLOWED);
    alice.send({
      case: 'addTrack',
      value: new AddTrackRequest({ cid: 'm', type: TrackType.AUDIO, source: TrackSource.MICROPHONE }),
    });
    expect((await alice.message('trackPublished')).track?.sid).toMatch(/^TR_AM/);
  });
});

it('sends a publisher that resumes again which layers are watched', async () => {
  const sdp = await readFile(new URL('fixtures/chromium-v0-publish.sdp', import.meta.url), 'utf8');
  const alice = await join('alice');
  const cid = /a=msid:\S+ (\S+)/.exec(sdp.slice(sdp.indexOf('m=video')))?.[1] ?? '';
  alice.send({
    case: 'addTrack',
    value: new AddTrackRequest({ cid, type: TrackType.VIDEO, source: TrackSource.CAMERA }),
  });
  alice.send({ case: 'offer', value: new SessionDescription({ type: 'offer', sdp }) });
  const { trackSid } = await alice.message('subscribedQualityUpdate');
  alice.socket.terminate();
  const resumed = new RawClient(dualUrl(engine.port, await joinToken('alice', room), '&reconnect=1'));
  await resumed.message('reconnect');
  expect(await resumed.message('subscribedQualityUpdate')).toMatchObject({ trackSid });
});

it('refuses joins while it closes', async () => {
  const closing = await startEngine();
  const url = dualUrl(closing.port, await joinToken('alice', room));
  const [alice, bob] = [new RawClient(url), new RawClient(dualUrl(closing.port, await joinToken('bob', room)))];
  await Promise.all([alice.message('join'), bob.message('join')]);
  // bob does not notice, so closing takes some time
  bob.socket.pause();
  let again: RawClient | undefined;
  alice.socket.on('message', () => (again ??= new RawClient(url)));
  await closing.close();
  bob.socket.terminate();
  await until('the second try has failed', () => again?.closed);
  expect(alice.received.at(-1)).toMatchObject({ case: 'leave', value: { action: LeaveRequest_Action.RECONNECT } });
  expect(again?.received).toEqual([]);
});

it('offers health and metrics, and TURN servers with credentials that expire', async () => {
  const turned = await startEngine({ turn: { urls: ['turns:turn.example:443?transport=tcp'], secret: 's3cret' } });
  const client = new RawClient(dualUrl(turned.port, await joinToken('alice', room)));
  const [server] = (await client.message('join')).iceServers;
  expect(server).toMatchObject({ urls: ['turns:turn.example:443?transport=tcp'] });
  expect(server?.username).toMatch(/^\d{10}:alice$/);
  expect(server?.credential).toMatch(/^[A-Za-z0-9+/]{27}=$/);
  expect(await (await fetch(`http://127.0.0.1:${turned.port}/healthz`)).text()).toBe('ok\n');
  const metrics = await (await fetch(`http://127.0.0.1:${turned.port}/metrics`)).text();
  expect(metrics).toContain('\nrmeet_sfu_participants 1\n');
  expect(metrics).toContain('# TYPE rmeet_sfu_packets_out_total counter');
  expect(metrics).not.toContain(room);
  await turned.close();
});

it.each(['/rtc/../status', '/rtc/../metrics', '/twirp/../status', '//status', '/%2e/status', '/rtc/..\\status'])(
  'reads the path %s literally',
  async (path) => {
    const { promise, resolve } = Promise.withResolvers<number | undefined>();
    get({ host: '127.0.0.1', port: engine.port, path }, (response) => resolve(response.resume().statusCode));
    expect(await promise).toBe(404);
  },
);
