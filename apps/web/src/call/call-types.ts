import type { ConferenceControl, SpeakerState } from '@rmeet/conference';
import type { Client, ConferenceState, TerminalReport, contract } from '@rmeet/contract';
import type { PushStatus, TopicHandler } from '../lib/push/index.ts';
import type { MediaSource, OpenMediaSession, Refusal } from './media-types.ts';
import type { Tile } from './tiles.ts';

/**
 * Why a call is over. `gone`: the server does not know this terminal any more; `early`: it ended before the meeting's
 * time, which stands.
 */
export type CallEnd = 'left' | 'ended' | 'cancelled' | 'early' | 'removed' | 'refused' | 'elsewhere' | 'gone';

/** `connecting` the first time, `reconnecting` when it was there before. */
export type LinkState = 'connecting' | 'connected' | 'reconnecting';

/** Something worth a word to the person; each is told once, `id` counts them. */
export type CallNotice = { id: number } & (
  | { kind: 'joined' | 'left' | 'handRaised' | 'waiting'; name: string }
  | { kind: 'chat'; name: string; text: string }
  | { kind: 'refused'; source: MediaSource; why: Refusal }
  /** The chair asks us to unmute, or to share, perhaps not for the first time. */
  | { kind: 'unmuteAsked' | 'contentAsked' }
  /** What we shared is held: sharing is turned off for us, or locked to another. */
  | { kind: 'shareEnded'; why: 'off' | 'locked' }
);

/** A message of ours that the server has not confirmed. */
export interface OutgoingMessage {
  id: string;
  text: string;
  state: 'sending' | 'failed';
}

export interface CallSnapshot {
  phase: 'waiting' | 'active' | 'over';
  end: CallEnd | null;
  /** What those who ended it said; empty where nothing was. */
  reason: string;
  /** False when it was removed for good. */
  canReturn: boolean;
  /** Waiting because it was sent back from inside. */
  sentBack: boolean;
  /** Waiting for nothing but a host, with whom it comes in by itself. */
  awaitsHost: boolean;
  media: LinkState;
  push: LinkState;
  /** Null until the push socket has brought it. */
  conference: ConferenceState | null;
  /** `NO_CONTROL` before the state is there. */
  control: ConferenceControl;
  /** What the chair holds of ours; what the person has switched on goes out again when the hold ends. */
  held: Held;
  /** The chair, or a turn of polling, has put us on air to everybody. */
  onAir: boolean;
  /** The chair asks us to unmute; `unmute` does. */
  unmuteAsked: boolean;
  /** The chair asks us to share our screen. */
  contentAsked: boolean;
  /** How far the server's clock is ahead of ours, ms; null before it was heard. */
  clockAhead: number | null;
  tiles: readonly Tile[];
  speakers: SpeakerState;
  outgoing: readonly OutgoingMessage[];
  unread: number;
  audioBlocked: boolean;
  /** The meeting's cameras send a codec that this browser cannot show. */
  blind: boolean;
  /** Our sources that are sent and reach nobody. */
  unreached: readonly MediaSource[];
  /** The last 30. */
  notices: readonly CallNotice[];
}

export interface Held {
  readonly microphone: boolean;
  readonly camera: boolean;
  /** Sharing: turned off for us, or locked to somebody else. */
  readonly content: 'off' | 'locked' | null;
}

/** The part of a push socket a call uses. */
export interface PushConnection {
  subscribe(topic: string, handler: TopicHandler): () => void;
  onStatus(listener: (status: PushStatus) => void): () => void;
  report(topic: string, report: TerminalReport): void;
  close(): void;
}

/** What a call needs from outside; tests bring their own. */
export interface CallPorts {
  api: Client<typeof contract.conferences>;
  openPush(): PushConnection;
  /** The media client, loaded when it is needed. */
  loadMedia(): Promise<OpenMediaSession>;
}
