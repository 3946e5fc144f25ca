import { connect, type Socket } from 'node:net';
import { setImmediate as nextRound } from 'node:timers/promises';

/** Where clamd listens: a TCP port, or a Unix socket. */
export type ScannerAddress = { host: string; port: number } | { path: string };

/** `tooLarge`: clamd's StreamMaxLength is below the file's size. */
export type ScanResult = { state: 'clean' } | { state: 'infected'; finding: string } | { state: 'tooLarge' };

/** clamd answers while it reads; without a sign of life for this long it is not asked further. Ms. */
const SILENCE = 120_000;
const MOST_ANSWER = 4_096;

/** The answer of clamd as a result. @throws Error for any other answer */
function resultOf(answer: string): ScanResult {
  const text = answer.replace(/\0.*$/s, '').trim();
  if (text === 'stream: OK') return { state: 'clean' };
  const finding = /^stream: (.+) FOUND$/.exec(text)?.[1];
  if (finding !== undefined) return { state: 'infected', finding: finding.slice(0, 200) };
  if (/size limit exceeded/i.test(text)) return { state: 'tooLarge' };
  throw new Error(`The virus scanner answered ${JSON.stringify(text.slice(0, 200))}.`);
}

function chunkOf(bytes: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.length);
  return Buffer.concat([length, bytes]);
}

/** Until more can be sent, or the connection is closed; leaves no listener behind. */
function drained(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      socket.off('drain', done).off('close', done);
      resolve();
    };
    socket.on('drain', done).on('close', done);
  });
}

/** Sends the content; ends early if clamd has answered, as it does when it takes no more. */
async function send(socket: Socket, source: AsyncIterable<Buffer>, hasAnswered: () => boolean): Promise<void> {
  socket.write('zINSTREAM\0');
  for await (const bytes of source) {
    // What has arrived is read first: a write to a connection that clamd has closed would lose its answer.
    await nextRound();
    if (hasAnswered() || socket.destroyed) return;
    if (bytes.length > 0 && !socket.write(chunkOf(bytes))) await drained(socket);
  }
  socket.write(Buffer.alloc(4));
}

/** clamd closes the connection when it takes no more. Rarely its answer is lost then, and it is asked again. */
const ATTEMPTS = 3;
const isCutOff = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'EPIPE' || error.code === 'ECONNRESET');

/**
 * Scans a content by clamd's command INSTREAM (clamd(8)): chunks with their length as 32 bits, big-endian; a length of
 * zero ends them.
 *
 * @throws Error if clamd does not answer, or not as its manual says
 */
export async function scanWith(address: ScannerAddress, open: () => AsyncIterable<Buffer>): Promise<ScanResult> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await scanOnce(address, open());
    } catch (error) {
      if (attempt === ATTEMPTS || !isCutOff(error)) throw error;
    }
  }
}

async function scanOnce(address: ScannerAddress, source: AsyncIterable<Buffer>): Promise<ScanResult> {
  const socket = connect(address);
  socket.setTimeout(SILENCE, () => socket.destroy(new Error('The virus scanner does not answer.')));
  let answer = '';
  let failure: Error | undefined;
  socket.on('data', (data: Buffer) => {
    answer = (answer + data.toString('latin1')).slice(0, MOST_ANSWER);
  });
  // A scanner that takes no more closes after its answer, which resets what is still being sent.
  socket.on('error', (error) => {
    failure = error;
  });
  const closed = new Promise<void>((resolve) => {
    socket.once('close', () => resolve());
  });
  try {
    await send(socket, source, () => answer !== '');
    socket.end();
    await closed;
  } finally {
    socket.destroy();
  }
  if (answer !== '') return resultOf(answer);
  throw failure ?? new Error('The virus scanner closed the connection without an answer.');
}
