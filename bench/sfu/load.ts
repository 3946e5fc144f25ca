/**
 * The load of the benchmark, in a process of its own so that only the engine's processor time is counted: one publisher, many
 * subscribers, the same node-datachannel ends for every engine. Answers 'stats' with what was received so far.
 */
import { Participant } from '@rmeet/participant';
import type { RemoteTrack } from '@rmeet/participant/rtc';
import { JanusSession, publishToJanus, subscribeToJanus } from './janus-client.ts';
import { benchToken, inGroups } from './setup.ts';

/** How an engine is reached. */
export type ServedBy = { by: 'rmeet'; url: string; apiKey: string; apiSecret: string } | { by: 'janus'; url: string };

export interface Load {
  served: ServedBy;
  subscribers: number;
  packetsPerSecond: number;
  /** Bytes of each RTP packet. */
  size: number;
}

export interface LoadStats {
  received: number;
  lost: number;
}

async function loadRmeet(served: Extract<ServedBy, { by: 'rmeet' }>, { subscribers, packetsPerSecond, size }: Load): Promise<() => LoadStats> {
  const connect = async (identity: string): Promise<Participant> =>
    Participant.connect({ url: served.url, token: await benchToken(served.apiKey, served.apiSecret, identity) });
  const sinks = await inGroups(subscribers, (n) => connect(`sink${n}`));
  const publisher = await connect('publisher');
  await publisher.publishRaw({ packetsPerSecond, size });
  return () => sum(sinks.flatMap((sink) => Array.from(sink.tracks.values())));
}

async function loadJanus(url: string, { subscribers, packetsPerSecond, size }: Load): Promise<() => LoadStats> {
  const session = await JanusSession.open(url);
  await publishToJanus(session, { packetsPerSecond, size });
  const tracks = await inGroups(subscribers, () => subscribeToJanus(session));
  return () => sum(tracks);
}

function sum(tracks: RemoteTrack[]): LoadStats {
  return {
    received: tracks.reduce((total, { counters }) => total + counters.packets, 0),
    lost: tracks.reduce((total, { counters }) => total + counters.lost, 0),
  };
}

const load = JSON.parse(process.argv[2] ?? '') as Load;
const stats = await (load.served.by === 'rmeet' ? loadRmeet(load.served, load) : loadJanus(load.served.url, load));
process.on('message', () => process.send?.(stats()));
process.once('disconnect', () => process.exit(0));
process.once('SIGTERM', () => process.exit(0));
process.send?.(stats());
