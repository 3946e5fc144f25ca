import { isDeepStrictEqual } from 'node:util';
import type { ConferenceControl } from '@rmeet/conference';
import { ENGINE_ACK } from '@rmeet/contract';
import { bookMeeting, joinMany, openDesk, startServer, until } from '@rmeet/testkit';
import { follow, settled, type Acknowledged } from './acknowledged.ts';
import { median, percentile, type Benchmark } from './report.ts';

const TERMINALS = 100;
const SEATS = 9;
const ROUNDS = 10;
const GOAL = 300;
const rz = { res: 'rz' };

/** The settings of a conference, without the version. */
const settingsOf = (control: ConferenceControl): ConferenceControl => ({ ...control, version: 0 });
const slowest = ({ latencies }: Acknowledged): number =>
  Math.max(0, ...[...latencies].flatMap(([termId, latency]) => (termId === ENGINE_ACK ? [] : [latency])));

/**
 * A scene of nine seats over 100 headless terminals: how long until all have applied it, and whether an undo restores
 * everything.
 */
// oxlint-disable-next-line max-lines-per-function -- one benchmark from its set-up to its figures
const scenes: Benchmark = async (report) => {
  const name = `rmeet ${SEATS} seats, ${TERMINALS} terminals`;
  const server = await startServer();
  try {
    const chair = await server.api.as('chair');
    const { meetId, numericId, password } = await bookMeeting(chair);
    const terminals = await joinMany(server.api, server.url, TERMINALS, (n) => ({
      numericId,
      password,
      name: `Guest ${n + 1}`,
      autoSubscribe: false,
    }));
    const desk = await openDesk(server.url, { meetId, by: chair });
    const heard = follow(desk);
    await until('everybody is there', () => desk.state.terminals.length === TERMINALS, { within: 60_000 });
    const { conferences } = desk.api;
    const termIds = terminals.map(({ admission }) => admission.termId);

    const seats = termIds.slice(0, SEATS).map((source, at) => ({ seat: at + 1, source }));
    await conferences.setLayout({ params: rz, body: { meetId, screenModel: '9' } });
    await conferences.setScreen({ params: rz, body: { meetId, target: 'ALL', seats } });
    await conferences.termMute({ params: rz, body: { meetId, termIds: termIds.slice(SEATS), mute: true } });
    await conferences.setConfSpeaker({ params: rz, query: { meetId, termId: termIds[0] ?? '' } });
    await conferences.setConfCaptions({ params: rz, query: { meetId }, body: { text: 'Part one' } });
    const { id: sceneId } = await conferences.saveScene({ params: { meetId }, body: { name: 'Part one' } });
    await conferences.setLayout({ params: rz, body: { meetId, screenModel: 'AUTO' } });
    await conferences.unMuteAll({ params: rz, body: { meetId } });
    await conferences.setConfSpeaker({ params: rz, query: { meetId, termId: '' } });
    await settled(heard, await conferences.setConfCaptions({ params: rz, query: { meetId }, body: { text: '' } }));

    const before = settingsOf(desk.state.control);
    const applied: number[] = [];
    const takenBack: number[] = [];
    const failures: string[] = [];
    let exact = 0;
    for (let round = 0; round < ROUNDS; round += 1) {
      const answer = await conferences.applyScene({ params: { meetId, sceneId } });
      const there = await settled(heard, answer);
      applied.push(slowest(there));
      if (desk.state.control.layout.seats.length !== SEATS) throw new Error('the scene was not applied');
      const back = await settled(
        heard,
        await conferences.undo({ params: { meetId }, body: { commandId: answer.commandId } }),
      );
      takenBack.push(slowest(back));
      failures.push(...there.failed, ...back.failed);
      if (isDeepStrictEqual(settingsOf(desk.state.control), before)) exact += 1;
    }
    for (const [what, values] of [
      ['applied', applied],
      ['taken_back', takenBack],
    ] as const) {
      report({ case: name, figure: `${what}_p50`, value: median(values), unit: 'ms' });
      report({ case: name, figure: `${what}_max`, value: Math.max(...values), unit: 'ms' });
    }
    report({ case: name, figure: 'undone_exactly', value: exact, unit: `of ${ROUNDS}` });
    report({ case: name, figure: 'failures', value: failures.length, unit: 'count' });
    desk.close();
    return (
      `A scene of ${SEATS} seats is acknowledged by all of ${TERMINALS} terminals within ` +
      `${median(applied).toFixed(0)} ms in the middle, ${percentile(applied, 1).toFixed(0)} ms at most (goal: ` +
      `${GOAL} ms); ${exact} of ${ROUNDS} were taken back exactly, ${failures.length} acknowledgements failed.`
    );
  } finally {
    await server.stop();
  }
};
export default scenes;
