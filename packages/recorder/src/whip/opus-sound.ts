import { RtpPacket, timestampDistance, type OrderedPacketHandler } from '@rmeet/rtp';
import { createDecoder, type OpusDecoderHandle } from 'libopus-wasm';
import { AacEncoder } from '../packager/aac.ts';
import { STEREO } from '../packager/sample-entries.ts';
import { BLOCK, CHANNELS, SAMPLE_RATE } from '../voice.ts';

/** Longest gap that the decoder conceals; a longer one is silent. */
const MOST_CONCEALED = 5 * BLOCK;
/** After a longer gap the sound begins again, at its own time. */
const MOST_SILENT = SAMPLE_RATE;

/** Turns the Opus packets of one stream, in order, into AAC frames without gaps. */
export class OpusSound implements OrderedPacketHandler {
  readonly #packet = new RtpPacket();
  readonly #decoder: OpusDecoderHandle;
  readonly #take: (data: Uint8Array, position: number) => void;
  #encoder: AacEncoder;
  /** The timestamp before which all is encoded. */
  #timestamp: number | undefined;
  /** The same in samples since the first one; never wraps around. */
  #position = 0;
  #isClosed = false;

  private constructor(decoder: OpusDecoderHandle, take: (data: Uint8Array, position: number) => void) {
    this.#decoder = decoder;
    this.#take = take;
    this.#encoder = this.#newEncoder();
  }

  /** `take` gets each frame with its position in samples since the first one. */
  static async create(take: (data: Uint8Array, position: number) => void): Promise<OpusSound> {
    return new OpusSound(await createDecoder({ channels: CHANNELS, sampleRate: SAMPLE_RATE }), take);
  }

  /** Why sound can no longer be encoded; undefined if there is no error. */
  get failure(): unknown {
    return this.#encoder.failure;
  }

  #newEncoder(): AacEncoder {
    return new AacEncoder(STEREO, (data, position) => {
      if (!this.#isClosed) this.#take(data, position);
    });
  }

  /** The position of a timestamp, in samples since the first one. */
  positionOf(timestamp: number): number | undefined {
    return this.#timestamp === undefined ? undefined : this.#position + timestampDistance(this.#timestamp, timestamp);
  }

  handlePacket(buffer: Buffer): void {
    const packet = this.#packet;
    if (this.#isClosed || !packet.parse(buffer) || packet.payloadOffset === packet.payloadEnd) return;
    this.#timestamp ??= packet.timestamp;
    const gap = timestampDistance(this.#timestamp, packet.timestamp);
    if (gap < 0 && gap > -MOST_SILENT) return;
    if (gap !== 0) this.#bridge(gap);
    this.#timestamp = packet.timestamp;
    try {
      this.#add(this.#decoder.decodeFloat(buffer.subarray(packet.payloadOffset, packet.payloadEnd)));
    } catch {
      // A packet that is not Opus counts as silence, which the next one's gap adds.
    }
  }

  handleLoss(): void {
    // The gap of the timestamps says how much is missing.
  }

  #bridge(gap: number): void {
    if (gap < 0 || gap > MOST_SILENT) {
      void this.#encoder.finish();
      this.#encoder = this.#newEncoder();
      // A restarted clock begins after what was encoded.
      this.#position += Math.max(gap, 0);
      return;
    }
    const blocks = gap <= MOST_CONCEALED ? Math.floor(gap / BLOCK) : 0;
    for (let n = 0; n < blocks; n += 1) this.#add(this.#decoder.decodePacketLossFloat(BLOCK));
    const left = gap - blocks * BLOCK;
    if (left > 0) this.#encoder.addSilence(left, this.#position);
    this.#position += left;
  }

  #add(sound: Float32Array): void {
    const samples = sound.length / CHANNELS;
    this.#encoder.add(sound, this.#position);
    this.#position += samples;
    this.#timestamp = (this.#timestamp! + samples) >>> 0;
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    void this.#encoder.finish();
    this.#decoder.free();
  }
}
