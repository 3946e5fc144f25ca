import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { eq } from 'drizzle-orm';
import type { PushMessage, TerminalReport } from '@rmeet/contract';
import { Reports } from '../../src/modules/conferences/desk/reports.ts';
import { mediaReport } from '../../src/modules/conferences/tables.ts';
import { createLog } from '../../src/platform/log/log.ts';
import { createPush } from '../../src/platform/push/index.ts';
import { clientOf, codeOf, signIn, type Person } from './support/client.ts';
import { openConference, rz, type Inside, type TestConference } from './support/conference.ts';
import { connect, type TestSocket } from './support/push.ts';
import { startTestServer, type TestServer } from './support/server.ts';

type ReportsMessage = Extract<PushMessage, { reports: unknown }>;

const report = (loss: number): TerminalReport => ({
  quality: 'good',
  estimateUp: 900_000,
  estimateDown: 1_200_000,
  roundTrip: 20,
  limitedBy: 'none',
  speaking: false,
  streams: [
    {
      direction: 'up',
      source: 'microphone',
      peer: null,
      end: 'terminal',
      codec: 'opus',
      width: null,
      height: null,
      frames: null,
      bitrate: 32_000,
      loss,
      jitter: 2,
      roundTrip: 20,
      layers: [],
    },
  ],
});

let server: TestServer;
let alice: Person;
let conference: TestConference;
let topic: string;
let bob: Inside;
let host: Inside;
const sockets: TestSocket[] = [];
beforeAll(async () => {
  server = await startTestServer();
  await server.rounds.passReports();
});
afterAll(async () => {
  for (const socket of sockets) await socket.close();
  await server.close();
});
beforeEach(async () => {
  // The reports of earlier tests are too old to count.
  server.clock.advance({ minutes: 1 });
  await server.rounds.passReports();
  alice = await signIn(server, 'alice');
  conference = await openConference(server, alice);
  topic = `meeting:${conference.meetId}`;
  host = await conference.join(alice);
  bob = await conference.guest('Bob');
});

async function socketOf(
  credentials: { token: string } | { sessionToken: string } | { deskToken: string },
): Promise<TestSocket> {
  const socket = await connect(server, credentials, topic);
  sockets.push(socket);
  return socket;
}
/** Sends a report and waits until the server has received it. */
async function tell(socket: TestSocket, about: string, told: TerminalReport): Promise<void> {
  const ping = socket.messages.length + Math.random();
  socket.send({ report: { topic: about, report: told } });
  socket.send({ ping });
  await socket.message((message) => 'pong' in message && message.pong === ping);
}
const reportsTold = ({ messages }: TestSocket): ReportsMessage[] =>
  messages.filter((message): message is ReportsMessage => 'reports' in message);
const written = async (): Promise<number> => server.db.platform((tx) => tx.count(mediaReport));
const asked = (who: Person, termId: string) =>
  who.conferences.readMediaStreamInfo({ params: rz, query: { meetId: conference.meetId, termId } });

test('desks receive new reports in one message; terminals receive none, and nothing is stored', async () => {
  const [desk, one, two] = [
    await socketOf({ token: alice.token }),
    await socketOf({ sessionToken: bob.token }),
    await socketOf({ sessionToken: host.token }),
  ];
  await tell(one, topic, report(1));
  await tell(two, topic, report(2));
  await server.rounds.passReports();
  expect(await desk.message((message) => 'reports' in message)).toEqual({
    topic,
    reports: { [bob.termId]: report(1), [host.termId]: report(2) },
  });
  server.clock.advance({ seconds: 2 });
  await tell(one, topic, report(3));
  await server.rounds.passReports();
  await desk.message(
    (message) => 'reports' in message && bob.termId in message.reports && !(host.termId in message.reports),
  );
  expect(reportsTold(desk)).toHaveLength(2);
  expect(reportsTold(desk)[1]).toEqual({ topic, reports: { [bob.termId]: report(3) } });
  expect([...reportsTold(one), ...reportsTold(two)]).toEqual([]);
  expect(await written()).toBe(0);
});

test('only reports of terminals inside about their own meeting are accepted, once a second', async () => {
  const desk = await socketOf({ token: alice.token });
  const one = await socketOf({ sessionToken: bob.token });
  await tell(one, topic, report(1));
  await tell(one, topic, report(99));
  await tell(one, `meeting:${conference.meeting.meetId.replace(/.$/, '0')}`, report(98));
  await tell(desk, topic, report(97));
  await server.rounds.passReports();
  expect(await desk.message((message) => 'reports' in message)).toEqual({
    topic,
    reports: { [bob.termId]: report(1) },
  });
  server.clock.advance({ seconds: 2 });
  await server.rounds.passReports();
  expect(reportsTold(desk)).toHaveLength(1);
});

test('the newest report is readable by desks and by the terminal itself, until it is old', async () => {
  const one = await socketOf({ sessionToken: bob.token });
  expect(await asked(alice, bob.termId)).toBeNull();
  await tell(one, topic, report(7));
  const [viewer, own] = [await conference.desk('viewer', alice), clientOf(server, bob.token)];
  for (const who of [alice, viewer, own]) expect(await asked(who, bob.termId)).toEqual(report(7));
  expect(await codeOf(asked(own, host.termId))).toBe('FORBIDDEN');
  expect(await codeOf(asked(alice, 'Taaaaaaaaaaaaaaaa'))).toBe('TERMINAL_ABSENT');
  expect(await codeOf(asked(await signIn(server, 'dave'), bob.termId))).toBe('NOT_FOUND');
  const status = await viewer.conferences.terminalStatus({ params: { ...rz, id: conference.meetId } });
  expect(status).toMatchObject({
    terminals: [{ name: 'Alice', account: null }, { name: 'Bob' }],
    reports: { [bob.termId]: report(7) },
  });
  server.clock.advance({ seconds: 11 });
  expect(await asked(alice, bob.termId)).toBeNull();
});

test('a reader on another server process gets the reports from there, only while it reads', async () => {
  const { db, clock } = server;
  const log = createLog('test', 'silent');
  const { push } = await createPush(db, log);
  const there = new Reports({ db, push, log, now: clock.now });
  await there.tick();
  const { id, meetingId } = await conference.row();
  const one = await socketOf({ sessionToken: bob.token });

  await tell(one, topic, report(1));
  await server.rounds.passReports();
  expect(await written()).toBe(0);
  expect(await there.newest({ id, meetingId })).toEqual(new Map());
  // On PostgreSQL, notifications take a moment; a later round makes up for one that ran before them.
  await expect
    .poll(async () => {
      await server.rounds.passReports();
      return there.newest({ id, meetingId });
    })
    .toEqual(new Map([[bob.termId, report(1)]]));
  expect(await written()).toBe(1);

  // And the other direction: a terminal there, a desk here.
  const desk = await socketOf({ token: alice.token });
  const caller = {
    kind: 'terminal',
    tenantId: server.people.get('alice')?.tenantId ?? '',
    meetId: meetingId,
    conferenceId: id,
    termId: host.termId,
    state: 'admitted',
  } as never;
  // Watched meetings are announced again every few seconds, for processes that missed it.
  await expect
    .poll(
      async () => {
        clock.advance({ seconds: 2 });
        there.reported(caller, topic, report(5));
        await there.tick();
        await server.rounds.passReports();
        return reportsTold(desk).some(({ reports }) => host.termId in reports);
      },
      { timeout: 10_000 },
    )
    .toBe(true);
  expect(
    reportsTold(desk)
      .flatMap(({ reports }) => reports[host.termId] ?? [])
      .at(-1),
  ).toEqual(report(5));

  clock.advance({ seconds: 26 });
  await server.rounds.passReports();
  await tell(one, topic, report(6));
  await server.rounds.passReports();
  const [row] = await db.platform((tx) => tx.find(mediaReport, eq(mediaReport.termId, bob.termId)));
  expect(row?.report).toEqual(report(1));

  await alice.conferences.end({ params: conference.params });
  expect(await written()).toBe(0);
});
