import { afterAll, beforeAll, expect, test } from 'vitest';
import { Participant, SignalError } from '@rmeet/participant';
import {
  bookMeeting,
  enterMeeting,
  joinAsTerminal,
  openDesk,
  startServer,
  until,
  type Api,
  type RunningServer,
  type Terminal,
} from '@rmeet/testkit';

/** A LiveKit server is accessed directly, so it accepts old tokens: `e2e/conferences/lying.spec.ts` tests that. */
const onLiveKit = process.env['RMEET_TEST_LIVEKIT_URL'] !== undefined;
const rz = { res: 'rz' };

let server: RunningServer;
let chair: Api & { token: string };
beforeAll(async () => {
  if (onLiveKit) return;
  server = await startServer();
  chair = await server.api.as('chair');
}, 90_000);
afterAll(() => server?.stop());

interface Access {
  url: string;
  token: string;
}

/** The responses to a media token: of both validation paths, and of the WebSocket of a joining client. */
async function answersTo({ url, token }: Access): Promise<number[]> {
  const http = url.replace(/^ws/, 'http');
  const validated = ['/rtc/validate', '/rtc/v1/validate'].map(
    async (path) => (await fetch(`${http}${path}?access_token=${token}`)).status,
  );
  return Promise.all([...validated, join({ url, token })]);
}

/** 101 if a participant is admitted, which then leaves again. */
async function join(access: Access): Promise<number> {
  try {
    (await Participant.connect({ ...access, obeys: false })).leave();
    return 101;
  } catch (error) {
    if (error instanceof SignalError) return error.status ?? 0;
    throw error;
  }
}

const REFUSED = [401, 401, 401];
const LET_IN = [200, 200, 101];

const meeting = async (options = {}) => {
  const { meetId, numericId } = await bookMeeting(chair, options);
  const host = await joinAsTerminal(chair, server.url, { numericId, autoSubscribe: false });
  return { meetId, numericId, host };
};
const guestOf = (numericId: string): Promise<Terminal> =>
  joinAsTerminal(server.api, server.url, {
    numericId,
    password: '4821',
    name: 'Carol',
    reconnect: false,
    autoSubscribe: false,
  });

test.skipIf(onLiveKit)('the media token of a removed terminal is refused at once', async () => {
  const { meetId, numericId } = await meeting();
  const carol = await guestOf(numericId);
  await chair.conferences.delTerm({
    params: { ...rz, id: meetId },
    query: { termId: carol.admission.termId, canReturn: 'true' },
  });
  expect(await answersTo(carol.admission)).toEqual(REFUSED);
  await until('her connection is closed', () => carol.media.ended);

  const back = await guestOf(numericId);
  expect(await answersTo(back.admission)).toEqual(LET_IN);
  expect(await answersTo(carol.admission)).toEqual(REFUSED);
  await chair.conferences.end({ params: { meetId } });
});

test.skipIf(onLiveKit)('the token of a terminal sent back to wait is refused until it is admitted again', async () => {
  const { meetId, numericId } = await meeting({ waitingRoom: true });
  const waiting = await enterMeeting(server.api, server.url, {
    numericId,
    password: '4821',
    name: 'Carol',
    reconnect: false,
  });
  if (!('admitted' in waiting)) throw new Error('nobody waits');
  const letIn = () =>
    chair.conferences.admit({ params: { meetId }, body: { termIds: [waiting.termId], admit: true, reason: '' } });
  await letIn();
  const carol = await waiting.admitted();
  await chair.conferences.sendBack({ params: { meetId }, body: { termIds: [waiting.termId] } });
  expect(await answersTo(carol.admission)).toEqual(REFUSED);

  await letIn();
  const entered = await waiting.api.conferences.enter({ params: { meetId } });
  if (entered.state !== 'admitted') throw new Error('she waits');
  expect(await answersTo(entered)).toEqual(LET_IN);
  await chair.conferences.end({ params: { meetId } });
});

test.skipIf(onLiveKit)('tokens of terminals that left, and of desks with a revoked link, are refused', async () => {
  const { meetId, numericId } = await meeting();
  const carol = await guestOf(numericId);
  await carol.leave();
  expect(await answersTo(carol.admission)).toEqual(REFUSED);

  const desk = await openDesk(server.url, { meetId, by: chair, part: 'viewer' });
  const watched = await desk.api.conferences.watch({ params: { meetId } });
  expect(await answersTo(watched)).toEqual(LET_IN);
  const [link] = await chair.conferences.links({ params: { meetId } });
  await chair.conferences.revokeLink({ params: { meetId, id: link!.id } });
  expect(await answersTo(watched)).toEqual(REFUSED);
  desk.close();
  await chair.conferences.end({ params: { meetId } });
});

test.skipIf(onLiveKit)('no token of an ended conference creates its room again', async () => {
  const { meetId, numericId, host } = await meeting();
  const carol = await guestOf(numericId);
  await chair.conferences.end({ params: { meetId } });
  expect(await answersTo(host.admission)).toEqual(REFUSED);
  expect(await answersTo(carol.admission)).toEqual(REFUSED);
});

test.skipIf(onLiveKit)(
  'a restarted server refuses the same tokens, and admits those who are inside',
  async () => {
    const { meetId, numericId, host } = await meeting();
    const carol = await guestOf(numericId);
    await chair.conferences.delTerm({
      params: { ...rz, id: meetId },
      query: { termId: carol.admission.termId, canReturn: 'true' },
    });
    server.kill('server');
    await server.ready();
    expect(await answersTo(carol.admission)).toEqual(REFUSED);
    expect(await answersTo(host.admission)).toEqual(LET_IN);
    await chair.conferences.end({ params: { meetId } });
  },
  60_000,
);
