import {
  LiveOrigin,
  LiveWindow,
  mayAccess,
  QUALITIES,
  windowId,
  type LiveOutput,
  type OriginHandler,
  type Quality,
} from '@rmeet/live';
import type { Log } from '../../../platform/log/log.ts';
import type { RecordingRow } from '../tables.ts';

/** Where servers get the programmes that a recorder process makes. */
export interface LiveOutputs {
  /** Undefined if servers cannot reach it. */
  readonly url: string | undefined;
  /** Takes the programme of a recording in a quality; what it had before stays until the recording ends. */
  open(recording: Pick<RecordingRow, 'id' | 'tenantId'>, startsAt: number, quality?: Quality): Omit<LiveOutput, 'end'>;
  /** The recording is over. */
  end(recordingId: string): void;
  /** Another recorder continues it. */
  leave(recordingId: string): void;
  /** Requests of servers to `/<name>` and below go to the handler. */
  handle(name: string, handler: OriginHandler): void;
}

export interface LiveOptions {
  /** What servers sign their requests with. */
  secret: string;
  /** The address at which servers on other machines reach the first recorder process; undefined: only this machine. */
  url: string | undefined;
  /** Whether the servers are on this machine. */
  isLocal: boolean;
  now: () => Date;
  log: Log;
}

/** Recorder processes of a machine take the next port that is free. */
const PORTS = 64;

async function listenFrom(origin: LiveOrigin, first: number): Promise<number> {
  for (let port = first; ; port += 1) {
    try {
      return await origin.listen(port);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE' || port + 1 >= first + PORTS) throw error;
    }
  }
}

async function addressOf(origin: LiveOrigin, { url, isLocal }: LiveOptions): Promise<string | undefined> {
  if (url !== undefined) {
    const address = new URL(url);
    address.port = String(await listenFrom(origin, Number(address.port || 80)));
    return address.origin;
  }
  return isLocal ? `http://127.0.0.1:${await origin.listen(0, '127.0.0.1')}` : undefined;
}

/** Gives servers what this process records. @throws Error if its port cannot be used */
export async function startLive(options: LiveOptions): Promise<LiveOutputs & { close(): Promise<void> }> {
  const { secret, now, log } = options;
  const windows = new Map<string, LiveWindow>();
  const origin = new LiveOrigin({ check: (id, token) => mayAccess(secret, id, token, now()) });
  const url = await addressOf(origin, options);
  if (url === undefined)
    log.info('RMEET_RECORDER_LIVE_URL is missing: what this machine records cannot be broadcast live.');
  const idsOf = (recordingId: string): string[] => QUALITIES.map((quality) => windowId(recordingId, quality));
  const leave = (recordingId: string): void => {
    for (const id of idsOf(recordingId)) {
      windows.delete(id);
      origin.remove(id);
    }
  };
  return {
    url,
    open({ id: recordingId }, startsAt, quality = 'high') {
      const id = windowId(recordingId, quality);
      const window = windows.get(id) ?? new LiveWindow({ startsAt });
      windows.set(id, window);
      origin.add(id, window);
      return window;
    },
    end(recordingId) {
      for (const id of idsOf(recordingId)) windows.get(id)?.end();
      leave(recordingId);
    },
    leave,
    handle: (name, handler) => origin.handle(name, handler),
    close: () => origin.close(),
  };
}
