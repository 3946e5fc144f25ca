import { writeSync } from 'node:fs';
import { Socket } from 'node:net';
import type { DestinationStream } from 'pino';

/**
 * The log's way out, standard output. pino's own destination tries again for ever to write to a full disk when the
 * process ends, and its errors end the process; here a line that cannot be written is dropped and counted, and the log
 * says how many once it can.
 */

/** Bytes that wait for a slow reader at most; beyond, lines are dropped rather than kept in memory. */
const KEPT = 1 << 20;

/** Writes text, or calls `failed`, at once or later. */
type Put = (text: string, failed: () => void) => void;

let lostLines = 0;

/** How many lines of this process's logs could not be written since it started. */
export const linesLost = (): number => lostLines;

/** To a file, or a device such as /dev/full: at once, so that nothing is lost when the process ends. */
function putIntoFile(handle: number): Put {
  let isTorn = false;
  return (text, failed) => {
    // The last room of a disk takes part of a line. What follows begins a line of its own.
    let rest = Buffer.from(isTorn ? `\n${text}` : text);
    const { length } = rest;
    try {
      while (rest.length > 0) rest = rest.subarray(writeSync(handle, rest));
      isTorn = false;
    } catch {
      isTorn ||= rest.length < length;
      failed();
    }
  };
}

/** To a pipe, socket or terminal: its reader may be slow, stuck or gone. */
function putIntoStream(stream: Socket): Put {
  let isCrowded = false;
  return (text, failed) => {
    // Once lines were dropped, half of the room has to be free: a few longer gaps are easier to read than many short
    // ones.
    isCrowded = stream.writableLength + Buffer.byteLength(text) > (isCrowded ? KEPT / 2 : KEPT);
    if (isCrowded) failed();
    else
      stream.write(text, (error) => {
        if (error) failed();
      });
  };
}

/**
 * Where the log of a process goes. Nothing that happens to standard output throws, and nothing is waited for.
 *
 * @param name which process speaks, for the line about lost ones
 * @param format what a line of JSON is written as
 */
export function createOutput(
  name: string,
  format: (line: string) => string = (line) => line,
  stream: Socket | { fd: number } = process.stdout,
): DestinationStream {
  const put = stream instanceof Socket ? putIntoStream(stream) : putIntoFile(stream.fd);
  let untold = 0;
  const tellLost = (): void => {
    const told = untold;
    untold = 0;
    const msg = `${told === 1 ? '1 line' : `${told} lines`} could not be written to the log`;
    put(format(`${JSON.stringify({ level: 'warn', time: new Date().toISOString(), name, msg })}\n`), () => {
      untold += told;
    });
  };
  return {
    write(line) {
      if (untold > 0) tellLost();
      put(format(line), () => {
        untold += 1;
        lostLines += 1;
      });
    },
  };
}
