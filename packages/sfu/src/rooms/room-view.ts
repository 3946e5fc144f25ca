import type { DisconnectReason, LeaveRequest_Action } from '@livekit/protocol';
import type { Participant } from '../participants/participant.ts';
import type { SignalMessage } from '../signalling/signal.ts';
import type { RoomSettings } from './settings.ts';

/** A room as its parts see it: its clock, its data relay and its quality report. */
export interface RoomView {
  readonly name: string;
  readonly settings: RoomSettings;
  readonly participants: ReadonlyMap<string, Participant>;
  /** The participants that are not hidden. */
  readonly visible: readonly Participant[];
  broadcast(message: SignalMessage, except?: Participant): void;
  remove(participant: Participant, reason: DisconnectReason, action?: LeaveRequest_Action): void;
  handleLost(participant: Participant): void;
}
