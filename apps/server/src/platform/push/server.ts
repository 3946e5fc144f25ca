import { PUSH_PATH } from '@rmeet/contract';
import { WebSocketServer, type ServerOptions } from 'ws';
import type { Db } from '../db/index.ts';
import { idOfCaller, type Authenticate } from '../http/calls/context.ts';
import type { Bypass } from '../http/server/server.ts';
import type { Log } from '../log/log.ts';
import { Connection } from './connection.ts';
import { Hub } from './hub.ts';
import type { Push } from './types.ts';

/** RFC 6455, section 7.4.1. */
const GOING_AWAY = 1001;
const MAX_MESSAGE = 64 * 1024;
/** Milliseconds for the other side to close its half; then the socket is destroyed. */
const CLOSE_WITHIN = 3_000;

export interface PushServer {
  push: Hub;
  /** Handles the WebSockets at /api/push; closing it makes the clients reconnect, to this process's successor. */
  bypass: (authenticate: Authenticate) => Bypass;
}

/** Publishes events from a process without sockets; the server processes deliver them. */
export function createPublisher(db: Db, log: Log): Push {
  return new Hub(db, log);
}

/** The push side of this server process; listens to the others at once. */
export async function createPush(db: Db, log: Log): Promise<PushServer> {
  const hub = new Hub(db, log);
  await hub.start();
  const options: ServerOptions & { closeTimeout: number } = {
    noServer: true,
    maxPayload: MAX_MESSAGE,
    perMessageDeflate: false,
    clientTracking: true,
    closeTimeout: CLOSE_WITHIN,
  };
  const server = new WebSocketServer(options);
  return {
    push: hub,
    bypass: (authenticate) => ({
      upgrade(request, socket, head, connection) {
        const [path] = (request.url ?? '').split('?', 1);
        if (path !== PUSH_PATH) return false;
        server.handleUpgrade(request, socket, head, (webSocket) => {
          // eslint-disable-next-line no-new -- it lives as long as its socket
          new Connection(webSocket, {
            hub,
            authenticate,
            log,
            signedIn: (caller) => connection.signedIn(idOfCaller(caller)),
          });
        });
        return true;
      },
      close() {
        for (const webSocket of server.clients) webSocket.close(GOING_AWAY, 'server restarts');
      },
    }),
  };
}
