import type { ConferenceControl, SpeakerState } from '@rmeet/conference';
import type { ChatMessage, Client, ConferenceState, TerminalReport, contract } from '@rmeet/contract';
import type { TerminalFiles } from '../lib/api/index.ts';
import type { PushStatus, TopicHandler } from '../lib/push/index.ts';
import type { DataMode } from './data-mode.ts';
import type { MediaSource, OpenMediaSession, Refusal } from './media-types.ts';
import type { Held } from './moderation.ts';
import type { ShownReaction } from './reactions.ts';
import type { ReadableMessage } from './sealed-messages.ts';
import type { Tile } from './tiles.ts';

/**
 * Why a call is over. `ended`: the conference is over, and nobody says why; `time`: the organisation's limit on the
 * length of meetings; `empty`: nobody was left inside while this terminal waited; `closed`: by the administration, or
 * after a failure; `early`: it ended before the booked time, and the booking remains; `gone`: the server no longer
 * knows this terminal.
 */
export type CallEnd =
  | 'left'
  | 'ended'
  | 'endedByHost'
  | 'endedByMe'
  | 'time'
  | 'empty'
  | 'closed'
  | 'cancelled'
  | 'early'
  | 'removed'
  | 'refused'
  | 'elsewhere'
  | 'gone';

/** How long this terminal was inside in total, ms, and the most people who were inside at once meanwhile. */
export interface Stay {
  lasted: number;
  people: number;
}

/** `connecting` the first time, `reconnecting` after a loss. */
export type LinkState = 'connecting' | 'connected' | 'reconnecting';

/** A message for the user, shown once; `id` is a counter. */
export type CallNotice = { id: number } & (
  | { kind: 'joined' | 'left' | 'handRaised' | 'waiting'; name: string }
  /** `isFile`: it brings a file and no text; `text` is the name of the file. */
  | { kind: 'chat'; name: string; text: string; isFile: boolean; isPrivate: boolean }
  | { kind: 'refused'; source: MediaSource; why: Refusal }
  /** The chair asks us to unmute, or to share; can be repeated. */
  | { kind: 'unmuteAsked' | 'contentAsked' }
  /** Our share ended: the chair turned sharing off for us, or opened it to another terminal or to hosts only. */
  | { kind: 'shareEnded'; why: 'off' | 'locked' | 'hosts' }
);

/** An own chat message that the server has not confirmed. */
export interface OutgoingMessage {
  id: string;
  text: string;
  /** The receiver of a private message. */
  to?: ChatMessage['to'];
  /** Id of the message that it answers. */
  replyTo?: string | undefined;
  /** The file that it brings, and how much of it is sent, 0 to 1. */
  file?: { content: File; progress: number };
  state: 'sending' | 'failed';
  /** Why it was not sent, in the server's words; missing if the server gave no reason. */
  why?: string | undefined;
  /** It would fail again: its file may not be sent. */
  isFinal?: boolean;
}

/** The state of a conference, with the texts of its chat in the clear. */
export type ReadableConference = Omit<ConferenceState, 'messages'> & { messages: ReadableMessage[] };

export interface CallSnapshot {
  phase: 'waiting' | 'active' | 'over';
  end: CallEnd | null;
  /** Set at the end; null if this terminal was never inside. */
  stay: Stay | null;
  /** The reason given by the person who ended it, or empty. */
  reason: string;
  /** False after a permanent removal. */
  canReturn: boolean;
  /** Waiting because the chair sent us back to the waiting room. */
  sentBack: boolean;
  /** Waiting only for a host; joins by itself when one arrives. */
  awaitsHost: boolean;
  media: LinkState;
  push: LinkState;
  /** Null until the push socket delivers it. */
  conference: ReadableConference | null;
  /** `NO_CONTROL` before the state has arrived. */
  control: ConferenceControl;
  /** The newest command was our own. */
  ownCommand: boolean;
  /** What the chair holds of ours; sources that the user has switched on are sent again when the hold ends. */
  held: Held;
  /** The chair, or a polling turn, has put us on air. */
  onAir: boolean;
  /** The chair asks us to unmute; `unmute` does. */
  unmuteAsked: boolean;
  /** The chair asks us to share our screen. */
  contentAsked: boolean;
  /** How far the server's clock is ahead of ours, ms; null while unknown. */
  clockAhead: number | null;
  tiles: readonly Tile[];
  speakers: SpeakerState;
  outgoing: readonly OutgoingMessage[];
  unread: number;
  /** Reactions of the last seconds, in order of arrival. */
  reactions: readonly ShownReaction[];
  /** How often the list of expected people has changed; only for people who may invite. */
  callsChanged: number;
  audioBlocked: boolean;
  /** The meeting's cameras send a codec that this browser cannot decode. */
  blind: boolean;
  /** Media and chat are end-to-end encrypted. */
  e2ee: boolean;
  /** termIds of people whose media are encrypted with another key than ours. */
  undecryptable: readonly string[];
  /** Our sources that are sent but not received by anyone. */
  unreached: readonly MediaSource[];
  dataMode: DataMode;
  /** The last 30. */
  notices: readonly CallNotice[];
}

/** The part of a push socket a call uses. */
export interface PushConnection {
  subscribe(topic: string, handler: TopicHandler): () => void;
  onStatus(listener: (status: PushStatus) => void): () => void;
  report(topic: string, report: TerminalReport): void;
  close(): void;
}

/** Dependencies of a call; tests replace them. */
export interface CallPorts {
  api: Client<typeof contract.conferences>;
  /** Files of the chat. */
  files: TerminalFiles;
  openPush(): PushConnection;
  /** Loads the media client on first use. */
  loadMedia(): Promise<OpenMediaSession>;
  /** The key of the meeting, if it is end-to-end encrypted. */
  meetingKey?: string | null;
}
