/** What a held piece costs beyond its bytes, so that many tiny ones are bounded too. */
const PIECE_COST = 256;

/** Bytes that a receiver holds: fragments of unfinished messages, and messages that wait for an earlier one. */
export class BufferAccount {
  bytes = 0;

  hold(bytes: number): void {
    this.bytes += bytes + PIECE_COST;
  }

  free(bytes: number): void {
    this.bytes -= bytes + PIECE_COST;
  }
}
