import { Room, RoomEvent } from 'livekit-client';

/** What came of a trial to reach a media server from this browser. */
export type MediaReach =
  | {
      way: 'udp' | 'tcp' | 'relay';
      /** Of the media server, or of the relay; null where the browser does not say. */
      port: number | null;
      /** Round trip, 1 at least; null while nothing is measured. */
      ms: number | null;
    }
  /** `signalling`: not even the WebSocket came about; `media`: that did, and no way for media. */
  | { way: null; failedAt: 'signalling' | 'media' };

const CONNECT_WITHIN = 10_000;
const SIGNAL_WITHIN = 5_000;
const MEASURE_WITHIN = 4_000;
const MEASURE_EVERY = 200;

type Entry = RTCStats & { [field: string]: unknown };

/** The pair of addresses media goes by, of all peer connections' statistics. */
function reachOf(entries: readonly Entry[]): MediaReach | undefined {
  const byId = new Map(entries.map((entry) => [entry.id, entry]));
  // Firefox does not name the pair in use: there it is the nominated one.
  const selected = entries.find(
    ({ type, selectedCandidatePairId }) => type === 'transport' && typeof selectedCandidatePairId === 'string',
  )?.['selectedCandidatePairId'];
  const pair =
    byId.get(String(selected)) ??
    entries.find(
      ({ type, nominated, state }) => type === 'candidate-pair' && nominated === true && state === 'succeeded',
    );
  if (!pair) return undefined;
  const [local, remote] = [byId.get(String(pair['localCandidateId'])), byId.get(String(pair['remoteCandidateId']))];
  const seconds = pair['currentRoundTripTime'];
  const port = remote?.['port'];
  return {
    way: local?.['candidateType'] === 'relay' ? 'relay' : local?.['protocol'] === 'tcp' ? 'tcp' : 'udp',
    port: typeof port === 'number' ? port : null,
    ms: typeof seconds === 'number' ? Math.max(1, Math.round(seconds * 1_000)) : null,
  };
}

async function statistics(room: Room): Promise<Entry[]> {
  const { publisher, subscriber } = room.engine.pcManager ?? {};
  const entries: Entry[] = [];
  for (const report of await Promise.all([publisher?.getStats(), subscriber?.getStats()]))
    report?.forEach((entry: Entry) => entries.push(entry));
  return entries;
}

/**
 * The way there is, with its round trip once the browser has measured one, which it may only do after it is connected.
 */
async function measure(room: Room): Promise<MediaReach> {
  const until = performance.now() + MEASURE_WITHIN;
  for (;;) {
    const reach = reachOf(await statistics(room));
    if ((reach?.way && reach.ms !== null) || performance.now() > until)
      return reach ?? { way: null, failedAt: 'media' };
    await new Promise((resolve) => setTimeout(resolve, MEASURE_EVERY));
  }
}

/** Connects to a room as a terminal does, sends nothing, looks which way media would go, and leaves. */
export async function reachMedia(url: string, token: string): Promise<MediaReach> {
  const room = new Room({ singlePeerConnection: true, disconnectOnPageLeave: false });
  let isSignalled = false;
  room.on(RoomEvent.SignalConnected, () => {
    isSignalled = true;
  });
  try {
    await room.connect(url, token, {
      maxRetries: 0,
      peerConnectionTimeout: CONNECT_WITHIN,
      websocketTimeout: SIGNAL_WITHIN,
    });
    return await measure(room);
  } catch {
    return { way: null, failedAt: isSignalled ? 'media' : 'signalling' };
  } finally {
    await room.disconnect(false);
  }
}
