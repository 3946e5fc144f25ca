/**
 * The load of the benchmark, in its own process so that only the engine's processor time is counted. All engines get
 * the same node-datachannel peers, which support the engine's estimates like browsers: numbered packets, transport-wide
 * feedback, reports, RTX. Connects all of them without sending and reports that; on 'go' it sends; on 'stats' it
 * returns what was received so far.
 */
import { Participant } from '@rmeet/participant';
import type { LocalTrack } from '@rmeet/participant/rtc';
import type { Case } from './cases.ts';
import { connectToJanus } from './janus-client.ts';
import { benchToken, inGroups, type Running } from './setup.ts';

/** How to connect to an engine. */
export type ServedBy =
  | { by: 'rmeet' | 'livekit'; url: string; apiKey: string; apiSecret: string }
  | { by: 'janus'; url: string };

export interface Load {
  served: ServedBy;
  load: Case;
}

export interface LoadStats {
  received: number;
  /** Gaps in the received sequence. */
  lost: number;
  sent: number;
}

async function connectToRoom(served: Extract<ServedBy, { apiKey: string }>, load: Case): Promise<Running> {
  const connect = async (identity: string, autoSubscribe: boolean): Promise<Participant> =>
    Participant.connect({
      url: served.url,
      token: await benchToken(served.apiKey, served.apiSecret, identity),
      autoSubscribe,
      feedback: true,
    });
  const { raw, people } = load;
  const sinks = await inGroups(load.subscribers, (n) => connect(`sink${n}`, true));
  const sources = await inGroups(raw?.publishers ?? people?.count ?? 0, (n) => connect(`source${n}`, false));
  const silenced = async (published: Promise<LocalTrack>): Promise<LocalTrack> =>
    Object.assign(await published, { muted: true });
  const videos = await inGroups(sources.length, (n) =>
    silenced(
      raw
        ? sources[n]!.publishRaw(raw)
        : sources[n]!.publishVideo({ simulcast: people!.simulcast, bitrate: people!.bitrate }),
    ),
  );
  const audios = await inGroups(people?.count ?? 0, (n) =>
    silenced(sources[n]!.publishAudio({ tone: n < people!.talking ? 500 : 'silence' })),
  );
  sources.forEach((source, n) => {
    const pictures = Array.from({ length: people?.pictures ?? 0 }, (_, i) => videos[(n + 1 + i) % videos.length]!.sid);
    const sounds = audios.filter((_, i) => i !== n).map(({ sid }) => sid);
    if (people) source.setSubscribed([...pictures, ...sounds], true);
  });
  return {
    sent: [...videos, ...audios],
    received: () => sinks.concat(sources).flatMap((person) => Array.from(person.tracks.values())),
  };
}

const { served, load } = JSON.parse(process.argv[2] ?? '') as Load;
const running = await (served.by === 'janus' ? connectToJanus(served.url, load) : connectToRoom(served, load));

function stats(): LoadStats {
  const tracks = running.received();
  const total = (figure: 'packets' | 'lost'): number => tracks.reduce((sum, { counters }) => sum + counters[figure], 0);
  return {
    received: total('packets'),
    lost: total('lost'),
    sent: running.sent.reduce((sum, { counters }) => sum + counters.packets, 0),
  };
}
process.on('message', (message) => {
  if (message === 'go') for (const track of running.sent) track.muted = false;
  process.send?.(stats());
});
process.once('disconnect', () => process.exit(0));
process.once('SIGTERM', () => process.exit(0));
process.send?.(stats());
