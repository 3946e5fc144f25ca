import type { SenderReport } from '@rmeet/rtp';
import type { Layer } from './layer.ts';
import type { OutgoingPacket } from './outgoing-packet.ts';

/** One subscriber of a published track, as the track sees it: the Forwarder to that subscriber. */
export interface TrackSubscriber {
  /** Whether RED audio is forwarded unchanged (RFC 2198). */
  readonly takesRedundancy: boolean;
  /** The quality that the subscriber wants now: 0 to 2, or -1 for nothing. */
  readonly wantedQuality: number;
  /** Whether a layer is forwarded, or will be from its next key frame. */
  uses(layer: Layer): boolean;
  /** The hot path: forwards one packet of one of the track's layers. */
  forward(layer: Layer, out: OutgoingPacket, nowMs: number): void;
  handleSenderReport(layer: Layer, report: SenderReport, nowMs: number): void;
  /** Chooses the layer again. */
  retarget(nowMs: number): void;
  /** Starts again from a key frame. */
  restart(): void;
}
