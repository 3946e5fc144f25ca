import type { Delivery, MediaReach } from '../../../call/media-trial.ts';

/** How far a connection check has come. */
export interface Progress {
  /** Why there is no room to try; null if there is one, or not yet an answer. */
  refused: 'unreachable' | 'busy' | 'unavailable' | null;
  signalled: boolean;
  reach: MediaReach | null;
  delivery: Delivery | null;
}

export const NOT_STARTED: Progress = { refused: null, signalled: false, reach: null, delivery: null };

/** One step of the check, with the key of its sentence. */
export interface CheckRow {
  step: 'server' | 'media' | 'quality';
  state: 'waiting' | 'running' | 'ok' | 'warning' | 'failed';
  words:
    | 'waiting'
    | 'running'
    | 'skipped'
    | 'serverOk'
    | 'serverUnreachable'
    | 'serverBusy'
    | 'serverUnavailable'
    | 'signallingBlocked'
    | 'mediaUdp'
    | 'mediaTcp'
    | 'mediaRelay'
    | 'mediaRelayUdp'
    | 'mediaRelayTcp'
    | 'mediaRelayTls'
    | 'mediaBlocked'
    | 'qualityGood'
    | 'qualitySlow'
    | 'qualityLossy'
    | 'qualityUnknown';
}

/** Beyond this round trip, people talk at the same time; ms. */
const SLOW = 300;
/** Beyond this share of lost packets, speech has gaps and pictures break. */
const LOSSY = 0.03;

const REFUSED = {
  unreachable: 'serverUnreachable',
  busy: 'serverBusy',
  unavailable: 'serverUnavailable',
} as const;
const WAYS = {
  udp: { state: 'ok', words: 'mediaUdp' },
  tcp: { state: 'warning', words: 'mediaTcp' },
  relay: { state: 'warning', words: 'mediaRelay' },
} as const;
const RELAYS = { udp: 'mediaRelayUdp', tcp: 'mediaRelayTcp', tls: 'mediaRelayTls' } as const;

/** The steps of a check and what is known of each. */
export function rowsOf(progress: Progress): CheckRow[] {
  const server = { step: 'server' as const, ...serverStep(progress) };
  const media = { step: 'media' as const, ...mediaStep(progress, server.state === 'failed') };
  const isOver = server.state === 'failed' || media.state === 'failed';
  return [server, media, { step: 'quality', ...qualityStep(progress, isOver) }];
}

type Step = Omit<CheckRow, 'step'>;
const WAITING: Step = { state: 'waiting', words: 'waiting' };
const RUNNING: Step = { state: 'running', words: 'running' };
const SKIPPED: Step = { state: 'waiting', words: 'skipped' };

function serverStep({ refused, signalled, reach }: Progress): Step {
  if (refused !== null) return { state: 'failed', words: REFUSED[refused] };
  if (reach?.way === null && reach.failedAt === 'signalling') return { state: 'failed', words: 'signallingBlocked' };
  return signalled || reach !== null ? { state: 'ok', words: 'serverOk' } : RUNNING;
}

function mediaStep({ signalled, reach }: Progress, isOver: boolean): Step {
  if (isOver) return SKIPPED;
  if (reach === null) return signalled ? RUNNING : WAITING;
  if (reach.way === null) return { state: 'failed', words: 'mediaBlocked' };
  return reach.relayBy ? { state: 'warning', words: RELAYS[reach.relayBy] } : WAYS[reach.way];
}

function qualityStep({ reach, delivery }: Progress, isOver: boolean): Step {
  if (isOver) return SKIPPED;
  if (delivery === null) return reach === null ? WAITING : RUNNING;
  const { ms, lost } = delivery;
  if (ms === null && lost === null) return { state: 'warning', words: 'qualityUnknown' };
  if ((lost ?? 0) > LOSSY) return { state: 'warning', words: 'qualityLossy' };
  return (ms ?? 0) > SLOW ? { state: 'warning', words: 'qualitySlow' } : { state: 'ok', words: 'qualityGood' };
}
