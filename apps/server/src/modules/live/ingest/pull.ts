import { parseRtmpAddress, play, type RtmpPlayer } from '@rmeet/rtmp';
import type { SecretBox } from '../../../platform/secrets/index.ts';
import { playAddressOf } from '../manual/secrets.ts';
import type { PushHosts } from '../targets/hosts.ts';
import type { Arrival } from './leases.ts';
import type { OutsideStream } from './stream.ts';
import type { BroadcastIngestRow } from './tables.ts';

/** Pauses before the next try, ms; the last one repeats. */
const PAUSES = [1_000, 2_000, 5_000, 10_000];
/** A connection that lasts this long, ms, begins the pauses again. */
const LASTING = 30_000;
/** Characters of a server's answer that are stored. */
const LONGEST_REASON = 300;

/** Takes a stream from its address for as long as it is wanted: connects again after each failure. */
export class Pull {
  readonly #row: BroadcastIngestRow;
  readonly #stream: OutsideStream;
  readonly #deps: { secrets: SecretBox; hosts: PushHosts };
  #player: RtmpPlayer | undefined;
  #timer: NodeJS.Timeout | undefined;
  #failures = 0;
  #reason: string | null = null;
  #isClosed = false;

  constructor(
    { row, stream }: { row: BroadcastIngestRow; stream: OutsideStream },
    deps: { secrets: SecretBox; hosts: PushHosts },
  ) {
    this.#row = row;
    this.#stream = stream;
    this.#deps = deps;
    this.#connect();
  }

  /** What is stored while the address is not reached. */
  get trouble(): Arrival {
    return this.#reason === null ? {} : { state: 'lost', reason: this.#reason };
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.#player?.close();
  }

  #connect(): void {
    const { secrets, hosts } = this.#deps;
    const text = playAddressOf(secrets, this.#row);
    const address = parseRtmpAddress(text);
    // The configuration may have changed since it was stored.
    if (!address || !hosts.allows(text)) return this.#failed('this address is not allowed');
    const lookup = hosts.lookupFor(text);
    const began = Date.now();
    const sink = this.#stream.begin('play');
    this.#player = play(
      address,
      {
        ...sink,
        onFrame: (frame) => {
          if (this.#isClosed) return;
          this.#reason = null;
          sink.onFrame(frame);
        },
        onClosed: (error) => {
          if (this.#isClosed) return;
          this.#stream.end();
          if (Date.now() - began > LASTING) this.#failures = 0;
          // Names of streams are secrets, and servers repeat them in their answers.
          const reason = error?.message ?? 'the server ended the stream';
          const names = address.stream.split('?').filter((part) => part !== '');
          this.#failed(names.reduce((all, part) => all.replaceAll(part, '…'), reason).slice(0, LONGEST_REASON));
        },
      },
      lookup ? { lookup } : {},
    );
  }

  #failed(reason: string): void {
    if (this.#isClosed) return;
    this.#reason = reason;
    const pause = PAUSES[this.#failures] ?? PAUSES.at(-1);
    this.#failures += 1;
    this.#timer = setTimeout(() => this.#connect(), pause);
  }
}
