import { Room, RoomEvent } from 'livekit-client';

/** Result of a connectivity test to a media server. */
export type MediaReach =
  | {
      way: 'udp' | 'tcp' | 'relay';
      /** Port of the media server or of the relay; null if the browser does not report it. */
      port: number | null;
      /** Round trip, at least 1; null while not measured. */
      ms: number | null;
    }
  /** `signalling`: the WebSocket failed; `media`: the WebSocket connected, but media did not. */
  | { way: null; failedAt: 'signalling' | 'media' };

const CONNECT_WITHIN = 10_000;
const SIGNAL_WITHIN = 5_000;
const MEASURE_WITHIN = 4_000;
const MEASURE_EVERY = 200;

type Entry = RTCStats & { [field: string]: unknown };

/** The candidate pair in use, from the statistics of all peer connections. */
function reachOf(entries: readonly Entry[]): MediaReach | undefined {
  const byId = new Map(entries.map((entry) => [entry.id, entry]));
  // Firefox does not report the selected pair: there it is the nominated one.
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

/** The route with its round trip; browsers measure the round trip only after connecting. */
async function measure(room: Room): Promise<MediaReach> {
  const until = performance.now() + MEASURE_WITHIN;
  for (;;) {
    const reach = reachOf(await statistics(room));
    if ((reach?.way && reach.ms !== null) || performance.now() > until)
      return reach ?? { way: null, failedAt: 'media' };
    await new Promise((resolve) => setTimeout(resolve, MEASURE_EVERY));
  }
}

/** Connects to a room as a terminal does, sends nothing, reads the route of media, and leaves. */
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
