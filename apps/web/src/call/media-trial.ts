import { Room, RoomEvent, Track } from 'livekit-client';

/** The ways to a TURN server (RFC 8656 section 2.1). */
type RelayProtocol = 'udp' | 'tcp' | 'tls';

/** Result of a connectivity test to a media server. */
export type MediaReach =
  | {
      way: 'udp' | 'tcp' | 'relay';
      /** How the browser reaches the relay; absent if there is none, or the browser does not report it. */
      relayBy?: RelayProtocol;
      /** Port of the media server or of the relay; null if the browser does not report it. */
      port: number | null;
      /** Round trip, at least 1; null while not measured. */
      ms: number | null;
    }
  | Unreached;

/** `signalling`: the WebSocket failed; `media`: the WebSocket connected, but media did not. */
interface Unreached {
  way: null;
  failedAt: 'signalling' | 'media';
}

const RELAY_PROTOCOLS: readonly RelayProtocol[] = ['udp', 'tcp', 'tls'];
const CONNECT_WITHIN = 10_000;
const SIGNAL_WITHIN = 5_000;
const MEASURE_WITHIN = 4_000;
const MEASURE_EVERY = 200;
const DELIVER_FOR = 3_000;

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
  const isRelay = local?.['candidateType'] === 'relay';
  const relayBy = RELAY_PROTOCOLS.find((protocol) => isRelay && protocol === local['relayProtocol']);
  return {
    way: isRelay ? 'relay' : local?.['protocol'] === 'tcp' ? 'tcp' : 'udp',
    ...(relayBy && { relayBy }),
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

/** Connects to a room as a terminal does, uses it, and leaves. */
async function inRoom<T>(
  url: string,
  token: string,
  use: (room: Room) => Promise<T>,
  onSignalled?: () => void,
): Promise<T | Unreached> {
  const room = new Room({ singlePeerConnection: true, disconnectOnPageLeave: false });
  let isSignalled = false;
  room.on(RoomEvent.SignalConnected, () => {
    isSignalled = true;
    onSignalled?.();
  });
  try {
    await room.connect(url, token, {
      maxRetries: 0,
      peerConnectionTimeout: CONNECT_WITHIN,
      websocketTimeout: SIGNAL_WITHIN,
    });
    return await use(room);
  } catch {
    return { way: null, failedAt: isSignalled ? 'media' : 'signalling' };
  } finally {
    await room.disconnect(false);
  }
}

/** Connects to a room as a terminal does, sends nothing, reads the route of media, and leaves. */
export function reachMedia(url: string, token: string): Promise<MediaReach> {
  return inRoom(url, token, measure);
}

/** How well packets arrive. */
export interface Delivery {
  /** Round trip; null if not measured. */
  ms: number | null;
  /** Lost packets, from 0 to 1; null if the engine reports none. */
  lost: number | null;
}

interface ConnectionEvents {
  onSignalled: () => void;
  onReach: (reach: MediaReach) => void;
}

/**
 * Connects as `reachMedia` does, and if media arrives, sends a quiet tone for three seconds and reads how it is
 * delivered. Null if media does not arrive.
 */
export async function tryConnection(
  url: string,
  token: string,
  { onSignalled, onReach }: ConnectionEvents,
): Promise<Delivery | null> {
  const result = await inRoom(
    url,
    token,
    async (room) => {
      const reach = await measure(room);
      onReach(reach);
      return reach.way === null ? null : deliver(room, reach.ms);
    },
    onSignalled,
  );
  if (result !== null && 'failedAt' in result) {
    onReach(result);
    return null;
  }
  return result;
}

/** Sends a tone and reads the engine's reports about it. */
async function deliver(room: Room, ms: number | null): Promise<Delivery> {
  const audio = new AudioContext();
  const output = new MediaStreamAudioDestinationNode(audio);
  const tone = new OscillatorNode(audio, { frequency: 440 });
  tone.connect(new GainNode(audio, { gain: 0.05 })).connect(output);
  tone.start();
  try {
    const [track] = output.stream.getAudioTracks();
    // Without DTX, packets also flow while the browser lets the page make no sound.
    if (track)
      await room.localParticipant.publishTrack(track, { source: Track.Source.Microphone, dtx: false, red: false });
    await new Promise((resolve) => setTimeout(resolve, DELIVER_FOR));
    return deliveryOf(await statistics(room), ms);
  } finally {
    await audio.close();
  }
}

function deliveryOf(entries: readonly Entry[], ms: number | null): Delivery {
  const received = entries.find(({ type }) => type === 'remote-inbound-rtp');
  const sent = Number(entries.find(({ type }) => type === 'outbound-rtp')?.['packetsSent'] ?? 0);
  const seconds = received?.['roundTripTime'];
  return {
    ms: ms ?? (typeof seconds === 'number' ? Math.max(1, Math.round(seconds * 1_000)) : null),
    lost: received === undefined || sent === 0 ? null : Math.max(0, Number(received['packetsLost'] ?? 0)) / sent,
  };
}
