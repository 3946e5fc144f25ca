/**
 * Joins rooms of a changing size, stays some seconds and leaves in different ways. A separate process, a new one each
 * round: its own memory is not measured.
 */
import { Participant } from '@rmeet/participant';
import { soakToken } from '../engine.ts';

export interface Round {
  url: string;
  /** Number of the round, for unused names. */
  round: number;
  joins: number;
  seconds: number;
}

export interface RoundResult {
  joined: number;
  /** Reasons for failures, and how often each occurred. */
  failures: Record<string, number>;
  /** RTP packets received by all of them. */
  packets: number;
}

const ROOMS = 6;
const STAY_MS = [2_000, 12_000] as const;

const round = JSON.parse(process.argv[2] ?? '') as Round;
const result: RoundResult = { joined: 0, failures: {}, packets: 0 };
const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Rooms fill up and empty in turn: most join the current room. */
function roomAt(n: number): string {
  const current = Math.floor((n * ROOMS * 2) / round.joins) % ROOMS;
  return `room-${Math.random() < 0.6 ? current : Math.floor(Math.random() * ROOMS)}`;
}

function leave(participant: Participant, n: number): void {
  // One in five disconnects without a message, as with a dead battery.
  if (n % 5 === 0) participant.raw.kill();
  else participant.leave();
}

async function visit(n: number): Promise<void> {
  const identity = `p${round.round}-${n}`;
  try {
    const participant = await Participant.connect({
      url: round.url,
      token: await soakToken(identity, roomAt(n)),
      reconnect: n % 10 === 3,
    });
    result.joined++;
    await participant.publishAudio({ tone: n % 2 === 0 ? 500 : 'silence' });
    if (n % 3 === 0) await participant.publishVideo({ bitrate: 60_000, simulcast: n % 6 === 0 });
    if (n % 4 === 0) await participant.sendData(`hello of ${identity}`, { reliable: n % 8 === 0 });
    if (n % 10 === 3) participant.raw.dropSignal();
    await wait(STAY_MS[0] + Math.random() * (STAY_MS[1] - STAY_MS[0]));
    for (const track of participant.tracks.values()) result.packets += track.counters.packets;
    leave(participant, n);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    result.failures[reason] = (result.failures[reason] ?? 0) + 1;
  }
}

process.once('disconnect', () => process.exit(0));
process.once('SIGTERM', () => process.exit(0));
const visits: Promise<void>[] = [];
const began = performance.now();
// The last one to join has time to stay within the round.
const spreadMs = Math.max(round.seconds * 500, round.seconds * 1000 - STAY_MS[1]);
for (let n = 0; n < round.joins; n++) {
  const due = began + (n * spreadMs) / round.joins;
  if (due > performance.now()) await wait(due - performance.now());
  visits.push(visit(n));
}
await Promise.all(visits);
process.send?.(result);
