import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { ICEServer } from '@livekit/protocol';
import { Admission } from './admission.ts';
import { RoomService } from './api/room-service.ts';
import { TwirpServer } from './api/twirp.ts';
import { limits } from './limits.ts';
import { LoadMeter } from './load.ts';
import { Counters } from './counters.ts';
import { gaugesOf, prometheus } from './metrics.ts';
import { figuresOf } from './rooms/room-figures.ts';
import { statusOf, type Status } from './status.ts';
import type { Engine, EngineOptions, Log, TurnOptions } from './options.ts';
import { Rooms } from './rooms/rooms.ts';
import { AccessTokens } from './signalling/access-token.ts';
import { SignalServer } from './signalling/signal-server.ts';
import { Webhooks } from './webhooks/webhooks.ts';
import { candidates, tcpCandidates, type Candidate, type TcpPort } from './transport/addresses.ts';
import { openMediaPort, type MediaPortOptions } from './transport/open.ts';
import type { MediaPort } from './transport/transport.ts';

const TURN_CREDENTIAL_SECONDS = 24 * 3600;
/** How long a closing engine tries to deliver the webhooks for its ended rooms. */
const WEBHOOKS_CLOSE_MS = 2000;
const DRAIN_CHECK_MS = 200;
const TWIRP_PATH = '/twirp/';
const quiet: Log = () => undefined;

/** Time-limited credentials as coturn's `use-auth-secret` checks them (draft-uberti-behave-turn-rest-00). */
function turnServers(turn: TurnOptions | undefined, identity: string): ICEServer[] {
  if (!turn || turn.urls.length === 0) return [];
  const expires = Math.floor(Date.now() / 1000) + TURN_CREDENTIAL_SECONDS;
  const username = `${expires}:${identity}`;
  const credential = createHmac('sha1', turn.secret).update(username).digest('base64');
  return [new ICEServer({ urls: turn.urls, username, credential })];
}

/**
 * The path and query of a request. A target that is unreadable, or not normalized (`/rtc/../status`), leads to no
 * handler.
 */
function urlOf({ url: target = '/' }: IncomingMessage): URL {
  const url = URL.parse(target, 'http://engine');
  return url && url.pathname === target.split('?', 1)[0] ? url : new URL('http://engine/unreadable');
}

/** The engine's handlers for HTTP requests. */
interface HttpHandlers {
  signalling: SignalServer;
  twirp: TwirpServer;
  status: (room: string) => Status;
  metrics: () => string;
}

function createHttpServer({ signalling, twirp, status, metrics }: HttpHandlers): Server {
  const server = createServer({ maxHeaderSize: limits.httpHeaderBytes }, (request, response) => {
    const url = urlOf(request);
    const { pathname } = url;
    if (pathname === '/rtc/validate' || pathname === '/rtc/v1/validate')
      signalling.handleValidate(request, response, url);
    else if (pathname.startsWith(TWIRP_PATH)) twirp.handle(request, response, pathname.slice(TWIRP_PATH.length));
    else if (pathname === '/healthz') response.end('ok\n');
    else if (pathname === '/status') {
      const body = JSON.stringify(status(url.searchParams.get('room') ?? ''));
      response.writeHead(200, { 'content-type': 'application/json' }).end(body);
    } else if (pathname === '/metrics')
      response.writeHead(200, { 'content-type': 'text/plain; version=0.0.4' }).end(metrics());
    else response.writeHead(404, { 'content-type': 'text/plain' }).end('not found\n');
  });
  return server.on('upgrade', (request, socket, head) => {
    signalling.handleUpgrade(request, socket, head, urlOf(request));
  });
}

/** A single address to advertise is also the only one that the port is bound to. */
function mediaPortOptions(options: EngineOptions, counters: Counters, log: Log): MediaPortOptions {
  const [onlyAddress, ...otherAddresses] = options.addresses ?? [];
  return {
    kind: options.transport ?? 'auto',
    udpPort: options.udpPort,
    ufragPrefix: options.ufragPrefix ?? '',
    counters,
    log,
    ...(onlyAddress === undefined || otherAddresses.length > 0 ? {} : { bindAddress: onlyAddress }),
  };
}

/**
 * Listens for media by TCP, and returns the ports to advertise. Without its own port, if another program has that, the
 * engine works all the same.
 */
async function openTcp(
  port: MediaPort,
  { tcpPort, webPort }: EngineOptions,
  host: string | undefined,
  log: Log,
): Promise<TcpPort[]> {
  if (!port.listenTcp) return [];
  const ports = webPort ? [webPort] : [];
  if (tcpPort === undefined) return ports;
  const wanted = tcpPort === 0 ? port.udpPort : tcpPort;
  try {
    return [{ port: await port.listenTcp(wanted, host) }, ...ports];
  } catch (error) {
    log('warn', 'media by TCP has no port of its own', { port: wanted, error: String(error) });
    return ports;
  }
}

/** Opens the UDP port, and TCP ports where the transport has TCP. */
async function openMedia(
  options: EngineOptions,
  counters: Counters,
  log: Log,
): Promise<{ mediaPort: MediaPort; tcpPorts: TcpPort[] }> {
  const portOptions = mediaPortOptions(options, counters, log);
  const mediaPort = await openMediaPort(portOptions);
  return { mediaPort, tcpPorts: await openTcp(mediaPort, options, portOptions.bindAddress, log) };
}

/** The candidates of a join: UDP, then TCP. */
function advertised(
  udpPort: number,
  tcpPorts: readonly TcpPort[],
  { addresses, publicIp }: EngineOptions,
): Candidate[] {
  return [...candidates(udpPort, addresses, publicIp), ...tcpCandidates(tcpPorts, addresses, publicIp)];
}

/**
 * Starts the engine: HTTP on `host:port`, media on `udpPort`. Rejects if one of the ports is in use. One engine per
 * process and UDP port.
 */
export async function start(options: EngineOptions): Promise<Engine> {
  const log = options.log ?? quiet;
  const counters = new Counters();
  const tokens = new AccessTokens(options.apiKey, options.apiSecret);
  const { mediaPort, tcpPorts } = await openMedia(options, counters, log);
  const { udpPort } = mediaPort;
  const meter = new LoadMeter(counters);
  const admission = new Admission(options.capacity ?? {}, meter);
  const webhooks = options.webhooks && new Webhooks(options.webhooks, log);
  const rooms = new Rooms({
    counters,
    log,
    admission,
    mediaPort,
    holdTracks: options.holdTracks ?? false,
    emptyTimeout: options.emptyTimeout ?? 300,
    departureTimeout: options.departureTimeout ?? 20,
    candidates: () => advertised(udpPort, tcpPorts, options),
    iceServers: (identity) => turnServers(options.turn, identity),
    notify: webhooks && ((event) => webhooks.notify(event)),
    signToken: (grants) => tokens.refresh(grants),
  });
  const signalling = new SignalServer(tokens, rooms, options.disableV1 ?? false, log);
  const twirp = new TwirpServer(tokens, new RoomService(rooms), log);
  const metrics = () => prometheus(counters, gaugesOf(rooms.all.map(figuresOf), meter, mediaPort.kind));

  const status = (room: string) => statusOf(rooms, meter, room);

  const server = createHttpServer({ signalling, twirp, status, metrics });
  server.listen(options.port, options.host);
  try {
    await once(server, 'listening');
  } catch (error) {
    mediaPort.release();
    throw error;
  }

  return {
    port: (server.address() as AddressInfo).port,
    udpPort,
    metrics,
    acceptMedia: (socket, head) => (mediaPort.acceptTcp ? mediaPort.acceptTcp(socket, head) : socket.destroy()),
    async drain(deadlineMs) {
      admission.draining = true;
      const deadline = performance.now() + deadlineMs;
      while (rooms.all.length > 0 && performance.now() < deadline)
        await delay(Math.min(DRAIN_CHECK_MS, deadline - performance.now()));
    },
    async close() {
      const closed = once(server, 'close');
      // first, because clients that have to reconnect return within milliseconds
      server.close();
      meter.stop();
      rooms.close();
      await signalling.close();
      server.closeAllConnections();
      await closed;
      mediaPort.release();
      await webhooks?.close(WEBHOOKS_CLOSE_MS);
    },
  };
}
