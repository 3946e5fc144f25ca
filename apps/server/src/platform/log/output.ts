import { writeSync } from 'node:fs';
import { Socket } from 'node:net';
import type { DestinationStream } from 'pino';

/**
 * The output of the log, standard output. pino's own destination retries forever to write to a full disk when the
 * process ends, and its errors end the process; here, a line that cannot be written is dropped and counted, and the log
 * reports the number as soon as it can.
 */

/** Maximum bytes that wait for a slow reader; above that, lines are dropped instead of kept in memory. */
const KEPT = 1 << 20;

/** Writes text, or calls `failed`, now or later. */
type Put = (text: string, failed: () => void) => void;

let lostLines = 0;

/** How many lines of this process's logs could not be written since it started. */
export const linesLost = (): number => lostLines;

/** To a file, or a device such as /dev/full: synchronously, so that nothing is lost when the process ends. */
function putIntoFile(handle: number): Put {
  let isTorn = false;
  return (text, failed) => {
    // A nearly full disk stores only part of a line. The next text then starts a new line.
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

/** To a pipe, socket or terminal: its reader may be slow, blocked or gone. */
function putIntoStream(stream: Socket): Put {
  let isCrowded = false;
  return (text, failed) => {
    // After lines were dropped, half of the buffer must be free: a few longer gaps are easier to read than many short
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
 * The output of a process's log. No error of standard output is thrown, and nothing is awaited.
 *
 * @param name which process logs, for the line about lost ones
 * @param format how a line of JSON is written
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
