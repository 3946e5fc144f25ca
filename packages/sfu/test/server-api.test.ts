import { readFile } from 'node:fs/promises';
import { DisconnectReason, LeaveRequest_Action, TrackSource, TrackType, AddTrackRequest, RequestResponse_Reason, SessionDescription } from '@livekit/protocol';
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
const post = async (method: string, body: string, grant: Record<string, unknown> | undefined) => {
  const token = new AccessToken(apiKey, apiSecret, { identity: 'server', ttl: 60 });
  if (grant) token.addGrant(grant);
  return await fetch(`http://127.0.0.1:${engine.port}/twirp/livekit.RoomService/${method}`, {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json', ...(grant ? { authorization: `Bearer ${await token.toJwt()}` } : {}) },
  });
};

describe('RoomService', () => {
  it('makes, lists, changes and deletes rooms', async () => {
    const made = await service.createRoom({ name: room, metadata: 'm', maxParticipants: 5, emptyTimeout: 60 });
    expect(made).toMatchObject({ name: room, metadata: 'm', maxParticipants: 5, emptyTimeout: 60, departureTimeout: 1 });
    expect(made.sid).toMatch(/^RM_\w{12}$/);
    const same = await service.createRoom({ name: room });
    expect(same.sid).toBe(made.sid);
    await service.createRoom({ name: 'other' });
    expect((await service.listRooms([room])).map(({ name }) => name)).toEqual([room]);
    const bob = await join('bob');
    expect((await service.listRooms([room]))[0]?.numParticipants).toBe(1);
    expect((await service.listParticipants(room)).map(({ identity }) => identity)).toEqual(['bob']);
    await service.updateParticipant(room, 'bob', { name: 'Bob B.', metadata: 'x', attributes: { hand: 'up' } });
    expect(await service.getParticipant(room, 'bob')).toMatchObject({ name: 'Bob B.', metadata: 'x', attributes: { hand: 'up' } });
    await service.updateParticipant(room, 'bob', { attributes: { hand: '' } });
    expect((await service.getParticipant(room, 'bob')).attributes).toEqual({});
    await service.deleteRoom(room);
    expect(await bob.message('leave')).toMatchObject({ action: LeaveRequest_Action.DISCONNECT, reason: DisconnectReason.ROOM_DELETED });
    await until('the socket is closed', () => bob.closed);
  });

  it.each([
    ['no token', 'ListRooms', '{}', undefined, 401, 'unauthenticated'],
    ['no grant', 'ListRooms', '{}', { roomJoin: true }, 403, 'permission_denied'],
    ['admin of another room', 'ListParticipants', '{"room":"a"}', { roomAdmin: true, room: 'b' }, 403, 'permission_denied'],
    ['unknown room', 'DeleteRoom', '{"room":"none"}', { roomCreate: true }, 404, 'not_found'],
    ['unknown participant', 'RemoveParticipant', '{"room":"a","identity":"x"}', { roomAdmin: true, room: 'a' }, 404, 'not_found'],
    ['no name', 'CreateRoom', '{}', { roomCreate: true }, 400, 'invalid_argument'],
    ['no JSON', 'CreateRoom', '{"name":', { roomCreate: true }, 400, 'malformed'],
    ['wrong type', 'CreateRoom', '{"name":7}', { roomCreate: true }, 400, 'malformed'],
    ['too large', 'CreateRoom', `{"name":"${'x'.repeat(300_000)}"}`, { roomCreate: true }, 400, 'malformed'],
    ['unknown method', 'Explode', '{}', { roomCreate: true }, 404, 'bad_route'],
  ])('refuses: %s', async (_name, method, body, grant, status, code) => {
    const response = await post(method, body, grant);
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ code });
  });

  it('takes snake_case names and ignores unknown fields, as Twirp servers do', async () => {
    const response = await post('CreateRoom', '{"name":"n","max_participants":3,"later":true}', { roomCreate: true });
    expect(await response.json()).toMatchObject({ name: 'n', maxParticipants: 3 });
  });
});

describe('joining', () => {
  it('says who may not, with the status clients act on', async () => {
    const validate = async (path: string, token?: string) => {
      const query = token === undefined ? '' : `?access_token=${token}`;
      return (await fetch(`http://127.0.0.1:${engine.port}${path}/validate${query}`)).status;
    };
    const good = await joinToken('alice', room);
    expect([await validate('/rtc', good), await validate('/rtc/v1', good)]).toEqual([200, 200]);
    expect(await validate('/rtc')).toBe(401);
    expect(await validate('/rtc', 'rubbish')).toBe(401);
    expect(await validate('/rtc', await joinToken('alice', room, { roomJoin: false }))).toBe(403);
    expect(await validate('/rtc', await joinToken('alice', ''))).toBe(403);
    const older = await startEngine({ disableV1: true });
    const statuses = await Promise.all(['/rtc/v1/validate', '/rtc/v1'].map(async (path) => (await fetch(`http://127.0.0.1:${older.port}${path}?access_token=${good}`)).status));
    expect(statuses).toEqual([404, 404]);
    await older.close();
  });

  it('opens a room by itself and closes it when everyone has left', async () => {
    const alice = await join('alice');
    expect((await service.listRooms()).map(({ name }) => name)).toEqual([room]);
    alice.send({ case: 'leave', value: {} as never });
    await until('the room is gone', async () => (await service.listRooms()).length === 0);
  });

  it('closes a room nobody came to', async () => {
    await service.createRoom({ name: 'waiting' });
    await until('it is gone', async () => (await service.listRooms()).length === 0);
  });

  it('lets no more in than the room takes, but everyone back in', async () => {
    await service.createRoom({ name: room, maxParticipants: 1 });
    const alice = await join('alice');
    const bob = new RawClient(dualUrl(engine.port, await joinToken('bob', room)));
    expect(await bob.message('leave')).toMatchObject({ action: LeaveRequest_Action.DISCONNECT, reason: DisconnectReason.JOIN_FAILURE });
    await join('alice');
    expect(await alice.message('leave')).toMatchObject({ reason: DisconnectReason.DUPLICATE_IDENTITY });
  });

  it.each(['/rtc', '/rtc/v1'])('sends who resumes without a participant to build anew, over %s', async (path) => {
    const token = await joinToken('alice', room);
    const url = path === '/rtc' ? dualUrl(engine.port, token, '&reconnect=1&sid=PA_x') : singleUrl(engine.port, token, { reconnect: true, participantSid: 'PA_x' });
    const leave = await new RawClient(url).message('leave');
    expect(leave.action).toBe(LeaveRequest_Action.RECONNECT);
  });

  it('refreshes a token before it runs out', async () => {
    const alice = await join('alice', { ttl: 12 });
    const token = await alice.message('refreshToken');
    const again = new RawClient(dualUrl(engine.port, token));
    expect((await again.message('join')).participant?.identity).toBe('alice');
  });

  it('refuses tracks of a source the token does not name', async () => {
    const alice = await join('alice', { canPublishSources: [TrackSource.MICROPHONE] });
    alice.send({ case: 'addTrack', value: new AddTrackRequest({ cid: 'c', type: TrackType.VIDEO, source: TrackSource.CAMERA }) });
    expect((await alice.message('requestResponse')).reason).toBe(RequestResponse_Reason.NOT_ALLOWED);
    alice.send({ case: 'addTrack', value: new AddTrackRequest({ cid: 'm', type: TrackType.AUDIO, source: TrackSource.MICROPHONE }) });
    expect((await alice.message('trackPublished')).track?.sid).toMatch(/^TR_AM/);
  });
});

it('tells a publisher that resumes anew which layers are watched', async () => {
  const sdp = await readFile(new URL('fixtures/chromium-v0-publish.sdp', import.meta.url), 'utf8');
  const alice = await join('alice');
  const cid = /a=msid:\S+ (\S+)/.exec(sdp.slice(sdp.indexOf('m=video')))?.[1] ?? '';
  alice.send({ case: 'addTrack', value: new AddTrackRequest({ cid, type: TrackType.VIDEO, source: TrackSource.CAMERA }) });
  alice.send({ case: 'offer', value: new SessionDescription({ type: 'offer', sdp }) });
  const { trackSid } = await alice.message('subscribedQualityUpdate');
  alice.socket.terminate();
  const resumed = new RawClient(dualUrl(engine.port, await joinToken('alice', room), '&reconnect=1'));
  await resumed.message('reconnect');
  expect(await resumed.message('subscribedQualityUpdate')).toMatchObject({ trackSid });
});

it('lets nobody in any more while it closes', async () => {
  const closing = await startEngine();
  const url = dualUrl(closing.port, await joinToken('alice', room));
  const [alice, bob] = [new RawClient(url), new RawClient(dualUrl(closing.port, await joinToken('bob', room)))];
  await Promise.all([alice.message('join'), bob.message('join')]);
  // bob does not notice, so that closing takes its time
  bob.socket.pause();
  let again: RawClient | undefined;
  alice.socket.on('message', () => (again ??= new RawClient(url)));
  await closing.close();
  bob.socket.terminate();
  await until('the second try has failed', () => again?.closed);
  expect(alice.received.at(-1)).toMatchObject({ case: 'leave', value: { action: LeaveRequest_Action.RECONNECT } });
  expect(again?.received).toEqual([]);
});

it('gives health and metrics, and TURN servers with credentials that run out', async () => {
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
  await turned.close();
});
