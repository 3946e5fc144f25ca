/**
 * A crowd in one room, in its own process: each participant publishes 180p VP8 of about 100 kbit/s and a silent
 * microphone, and receives the pictures of the next few. Answers any message with what was received so far.
 */
import { Participant } from '@rmeet/participant';
import { until } from '@rmeet/testkit';
import { benchToken, inGroups } from './setup.ts';

export interface Crowd {
  url: string;
  apiKey: string;
  apiSecret: string;
  people: number;
  /** Pictures received by each. */
  pictures: number;
}

export interface CrowdStats {
  sentPackets: number;
  receivedPackets: number;
  frames: number;
  keyFrames: number;
  lost: number;
}

const crowd = JSON.parse(process.argv[2] ?? '') as Crowd;
const people = await inGroups(crowd.people, async (n) => {
  const token = await benchToken(crowd.apiKey, crowd.apiSecret, `person${n}`);
  return Participant.connect({ url: crowd.url, token, autoSubscribe: false });
});
const videos = await inGroups(crowd.people, async (n) => {
  await people[n]!.publishAudio({ tone: 'silence' });
  return people[n]!.publishVideo({ bitrate: 100_000 });
});
people.forEach((person, n) => {
  const wanted = Array.from({ length: crowd.pictures }, (_, i) => videos[(n + 1 + i) % crowd.people]!.sid);
  person.setSubscribed(wanted, true);
});
await until(
  'everyone sees the others',
  () =>
    people.every(
      (person) => [...person.tracks.values()].filter((track) => track.counters.keyFrames > 0).length === crowd.pictures,
    ),
  { within: 60_000 },
);

function stats(): CrowdStats {
  const received = people.flatMap((person) => Array.from(person.tracks.values(), (track) => track.counters));
  const total = (figure: 'packets' | 'frames' | 'keyFrames' | 'lost'): number =>
    received.reduce((sum, counters) => sum + counters[figure], 0);
  return {
    sentPackets: people.flatMap((person) => person.published).reduce((sum, track) => sum + track.counters.packets, 0),
    receivedPackets: total('packets'),
    frames: total('frames'),
    keyFrames: total('keyFrames'),
    lost: total('lost'),
  };
}
process.on('message', () => process.send?.(stats()));
process.once('disconnect', () => process.exit(0));
process.once('SIGTERM', () => process.exit(0));
process.send?.(stats());
