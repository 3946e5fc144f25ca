import {
  DisconnectReason,
  LeaveRequest_Action,
  RequestResponse_Reason,
  TrackSource,
  TrackType,
} from '@livekit/protocol';
import { afterEach, expect, it } from 'vitest';
import type { Capacity, Engine } from '../src/index.ts';
import { joinToken, roomService, startEngine, until } from './support/engine.ts';
import { dualUrl, RawClient } from './support/raw-client.ts';

let engine: Engine;
afterEach(async () => {
  await engine.close();
});

const startWith = async (capacity: Capacity): Promise<void> => {
  engine = await startEngine({ capacity });
};
const enter = async (identity: string, room: string, more = ''): Promise<RawClient> =>
  new RawClient(dualUrl(engine.port, await joinToken(identity, room), more));

/** The rejection before the connection is established: as fetch of the same address with `/validate` returns it. */
async function refusalOf(identity: string, room: string): Promise<[status: number, text: string]> {
  const answer = await fetch(
    `http://127.0.0.1:${engine.port}/rtc/validate?access_token=${await joinToken(identity, room)}`,
  );
  return [answer.status, await answer.text()];
}

it('refuses a room above the limit, by joining and by the server API, with the limit in the reason', async () => {
  await startWith({ rooms: 1 });
  const alice = await enter('alice', 'a');
  await alice.message('join');
  expect(await refusalOf('bob', 'b')).toEqual([503, 'node has exceeded its configured limit: 1 rooms']);
  const bob = await enter('bob', 'b');
  await until('bob is refused', () => bob.closed);
  expect(bob.received).toEqual([]);
  await expect(roomService(engine).createRoom({ name: 'b' })).rejects.toMatchObject({
    code: 'resource_exhausted',
    message: 'node has exceeded its configured limit: 1 rooms',
  });
  expect(await roomService(engine).createRoom({ name: 'a' })).toMatchObject({ numParticipants: 1 });
  expect(await refusalOf('carol', 'a')).toEqual([200, 'success']);
});

it('refuses a participant above the limit, but not one that reconnects', async () => {
  await startWith({ participants: 2 });
  const [alice] = await Promise.all([enter('alice', 'a'), enter('bob', 'b')]);
  await until('both are inside', () => engine.metrics().includes('\nrmeet_sfu_participants 2\n'));
  expect(await refusalOf('carol', 'a')).toEqual([503, 'node has exceeded its configured limit: 2 participants']);
  const again = await enter('alice', 'a');
  await again.message('join');
  await until('the old one has ended', () => alice.closed);
  expect(engine.metrics()).toContain('\nrmeet_sfu_largest_room_participants 1\n');
});

it('refuses new participants while there is too much media already', async () => {
  await startWith({ bitrate: 0 });
  expect(await refusalOf('alice', 'a')).toEqual([503, 'node has exceeded its configured limit: 0 Mbit/s']);
});

it('refuses a track above the limit with LIMIT_EXCEEDED', async () => {
  await startWith({ tracksPerParticipant: 1 });
  const alice = await enter('alice', 'a');
  await alice.message('join');
  for (const cid of ['one', 'two'])
    alice.send({ case: 'addTrack', value: { cid, type: TrackType.AUDIO, source: TrackSource.MICROPHONE } as never });
  expect(await alice.message('trackPublished')).toMatchObject({ cid: 'one' });
  expect(await alice.message('requestResponse')).toMatchObject({ reason: RequestResponse_Reason.LIMIT_EXCEEDED });
});

it('drains: accepts no new room, keeps the present ones until they are empty, and reports the end', async () => {
  await startWith({});
  const alice = await enter('alice', 'a');
  await Promise.all([alice.message('join'), roomService(engine).createRoom({ name: 'empty', emptyTimeout: 3600 })]);
  const drained = engine.drain(60_000);
  await until('the empty room is closed', async () => (await roomService(engine).listRooms()).length === 1);
  expect(await refusalOf('bob', 'b')).toEqual([503, 'this process is being replaced and takes no new rooms']);
  const bob = await enter('bob', 'a');
  await bob.message('join');
  // a resume without a participant is sent to another process, not rejected
  const lost = await enter('carol', 'c', '&reconnect=1');
  expect(await lost.message('leave')).toMatchObject({ action: LeaveRequest_Action.RECONNECT });
  for (const client of [alice, bob]) client.send({ case: 'leave', value: {} as never });
  await drained;
  expect(await roomService(engine).listRooms()).toEqual([]);
});

it('drains for the given time at most; then all participants are asked to reconnect', async () => {
  await startWith({});
  const alice = await enter('alice', 'a');
  await alice.message('join');
  await engine.drain(100);
  expect(alice.closed).toBe(false);
  await engine.close();
  expect(await alice.message('leave')).toMatchObject({
    action: LeaveRequest_Action.RECONNECT,
    reason: DisconnectReason.SERVER_SHUTDOWN,
  });
  engine = await startEngine();
});
