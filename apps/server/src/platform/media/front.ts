import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Bypass } from '../http/server/server.ts';
import type { Log } from '../log/log.ts';
import { connections } from './forward.ts';
import { Admission, type AdmissionGuard } from './front-admission.ts';
import { FrontCalls } from './front-calls.ts';
import { FrontSignalling } from './front-signalling.ts';
import { mergeMetrics } from './metrics.ts';
import { MediaProcesses } from './processes.ts';

const METRICS_TIMEOUT = 2_000;

export interface FrontOptions {
  /** Loopback ports of the media processes. */
  ports: readonly number[];
  /** The API secret of the engine, which signs access tokens. */
  apiSecret: string;
  log: Log;
}

/** All media processes as one LiveKit server. */
export interface MediaFront extends Bypass {
  /** From now on, only identities that the guard accepts may connect, even to resume. A guard that fails admits. */
  setGuard(guard: AdmissionGuard): void;
  /** The same server for calls of this process, on loopback: `http://127.0.0.1:<port>`. */
  url: string;
  /** The metrics of all processes that respond, labelled by process. */
  metrics(): Promise<string>;
  /** The media processes, where a room is, and where to place one. */
  processes: Pick<MediaProcesses, 'statuses' | 'find' | 'choose'>;
  close(): void;
}

async function collectMetrics(processes: MediaProcesses): Promise<string> {
  const texts = await Promise.all(
    (await processes.answering()).map(async ({ index, port }): Promise<[string, string] | undefined> => {
      try {
        const response = await fetch(`http://127.0.0.1:${port}/metrics`, {
          signal: AbortSignal.timeout(METRICS_TIMEOUT),
        });
        return response.ok ? [String(index), await response.text()] : undefined;
      } catch {
        return undefined; // rmeet_media_up shows that the engine is away
      }
    }),
  );
  return mergeMetrics(new Map(texts.filter((text) => text !== undefined)));
}

/**
 * Makes the media processes one LiveKit server: signalling is routed by the room in its access token, calls of the
 * server API by the room they name; a list of rooms comes from all processes.
 */
export async function startFront({ ports, apiSecret, log }: FrontOptions): Promise<MediaFront> {
  const processes = new MediaProcesses(ports, log);
  const admission = new Admission(log);
  const calls = new FrontCalls(processes, admission, apiSecret, log);
  const signalling = new FrontSignalling(processes, admission, apiSecret, log);

  const own = createServer((incoming, response) => {
    if (!calls.request(incoming, response, true)) response.writeHead(404).end();
  });
  own.listen(0, '127.0.0.1');
  await once(own, 'listening');

  return {
    url: `http://127.0.0.1:${(own.address() as AddressInfo).port}`,
    request: (incoming, response) => calls.request(incoming, response),
    upgrade: (incoming, client, head, connection) => signalling.upgrade(incoming, client, head, connection),
    setGuard: (guard) => admission.setGuard(guard),
    metrics: () => collectMetrics(processes),
    processes,
    close() {
      processes.close();
      connections.destroy();
      signalling.close();
      own.close();
      own.closeAllConnections();
    },
  };
}
