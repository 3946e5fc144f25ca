import { fork, type ChildProcess } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { AccessToken, type VideoGrant } from 'livekit-server-sdk';
import { nextMessage, stopped } from '../bench/sfu/process.ts';

const API_KEY = 'soak';
const API_SECRET = 'a secret of the soak runs, 32 bytes or more';

/** The resources held by an engine process. */
export interface Held {
  /** Megabytes, after a garbage collection: the process, JavaScript's heap, memory outside it. */
  rss: number;
  heap: number;
  external: number;
  /** Open file descriptors, and how many of them are UDP sockets. */
  handles: number;
  udpPorts: number;
  threads: number;
}

/** The engine's metrics at a moment. */
export interface Gauges {
  rooms: number;
  participants: number;
  tracks: number;
  subscriptions: number;
}

/** The embedded engine in its own process. */
export interface SoakEngine {
  pid: number;
  url: string;
  port: number;
  udpPort: number;
  /** Rejects if the process ends before `stop`. */
  ended: Promise<never>;
  token(identity: string, room: string, grant?: Partial<VideoGrant>): Promise<string>;
  held(): Promise<Held>;
  /** The engine's metrics as text (Prometheus). */
  metrics(): Promise<string>;
  gauges(): Promise<Gauges>;
  stop(): Promise<void>;
}

export function soakToken(identity: string, room: string, grant: Partial<VideoGrant> = {}): Promise<string> {
  const token = new AccessToken(API_KEY, API_SECRET, { identity, ttl: 4 * 3600 });
  token.addGrant({ room, roomJoin: true, canPublish: true, canSubscribe: true, canPublishData: true, ...grant });
  return token.toJwt();
}

/** A value of the metrics; undefined if it is missing. */
export function metric(text: string, name: string): number | undefined {
  const found = new RegExp(`^rmeet_sfu_${name} (\\S+)$`, 'm').exec(text)?.[1];
  return found === undefined ? undefined : Number(found);
}

/** proc(5): descriptors of a process, its UDP sockets by the inodes of /proc/<pid>/net/udp, its threads. */
function descriptors(pid: number): Pick<Held, 'handles' | 'udpPorts' | 'threads'> {
  const inodes = new Set(
    ['udp', 'udp6'].flatMap((table) =>
      readFileSync(`/proc/${pid}/net/${table}`, 'utf8')
        .trim()
        .split('\n')
        .slice(1)
        .map((line) => line.trim().split(/\s+/)[9]),
    ),
  );
  const links = readdirSync(`/proc/${pid}/fd`)
    .map((fd) => {
      try {
        return readlinkSync(`/proc/${pid}/fd/${fd}`);
      } catch {
        return undefined; // closed since the listing
      }
    })
    .filter((link) => link !== undefined);
  return {
    handles: links.length,
    udpPorts: links.filter((link) => inodes.has(/^socket:\[(\d+)\]$/.exec(link)?.[1])).length,
    threads: Number(/^Threads:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]),
  };
}

async function collected(child: ChildProcess): Promise<Pick<Held, 'rss' | 'heap' | 'external'>> {
  child.send('collect');
  const { rss, heapUsed, external } = await nextMessage<{ rss: number; heapUsed: number; external: number }>(child);
  return { rss: rss / 2 ** 20, heap: heapUsed / 2 ** 20, external: external / 2 ** 20 };
}

/** `transport`: default what the engine chooses. */
export async function startSoakEngine(transport?: 'native' | 'datachannel'): Promise<SoakEngine> {
  const child = fork(join(import.meta.dirname, 'engine-process.ts'), {
    env: { ...process.env, API_KEY, API_SECRET, ...(transport && { TRANSPORT: transport }) },
    execArgv: [...process.execArgv, '--expose-gc'],
  });
  const { port, udpPort } = await nextMessage<{ port: number; udpPort: number }>(child);
  let stopping = false;
  const ended = new Promise<never>((_resolve, reject) => {
    child.once('exit', (code, signal) => {
      if (!stopping) reject(new Error(`the engine ended by itself: ${signal ?? `exit code ${code}`}`));
    });
  });
  // Callers may wait for it, but need not.
  ended.catch(() => undefined);
  const metrics = async (): Promise<string> => (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  return {
    pid: child.pid!,
    url: `ws://127.0.0.1:${port}`,
    port,
    udpPort,
    ended,
    token: soakToken,
    metrics,
    held: async () => ({ ...(await collected(child)), ...descriptors(child.pid!) }),
    gauges: async () => {
      const text = await metrics();
      const figure = (name: string): number => metric(text, name) ?? Number.NaN;
      return {
        rooms: figure('rooms'),
        participants: figure('participants'),
        tracks: figure('tracks'),
        subscriptions: figure('subscriptions'),
      };
    },
    stop: () => {
      stopping = true;
      return stopped(child);
    },
  };
}
