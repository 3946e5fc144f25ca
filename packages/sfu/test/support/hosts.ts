import { execFileSync, spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createSocket } from 'node:dgram';
import { closeSync, openSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { koffi } from '../../src/transport/native/koffi.ts';

const CLONE_NEWNET = 0x4000_0000;

/** Why separate hosts cannot be created here; undefined if they can. */
export function hostsMissing(): string | undefined {
  if (process.getuid?.() !== 0) return 'it takes root to make network namespaces';
  const name = `rmeet-try-${process.pid}`;
  const made = spawnSync('ip', ['netns', 'add', name], { encoding: 'utf8' });
  if (made.status !== 0)
    return (
      'no network namespaces can be made: ' +
      ((made.stderr ?? '').trim() || 'there is no program ip (on Debian: apt-get install iproute2)')
    );
  spawnSync('ip', ['netns', 'del', name]);
  return undefined;
}

/** Runs the program ip. */
export const ip = (...args: string[]): void => void execFileSync('ip', args, { stdio: ['ignore', 'ignore', 'pipe'] });
let made = 0;

/** A separate host with its own interfaces and addresses: a network namespace. */
export class Host {
  readonly name = `rmeet-${process.pid}-${(made += 1)}`;
  readonly #children: ChildProcess[] = [];

  constructor() {
    ip('netns', 'add', this.name);
    ip('-n', this.name, 'link', 'set', 'lo', 'up');
  }

  /**
   * A cable between two hosts, or to the machine itself; each end with its addresses, such as `10.0.0.1/24`. `mtu`: the
   * longest IP packet on it, bytes. Returns the names of the interfaces at both ends.
   */
  static cable(
    one: Host,
    ownAddresses: string[],
    other: Host | undefined,
    otherAddresses: string[],
    mtu = 1_500,
  ): [own: string, far: string] {
    made += 1;
    const [own, far] = [`rm${process.pid}a${made}`.slice(-15), `rm${process.pid}b${made}`.slice(-15)];
    ip('link', 'add', own, 'type', 'veth', 'peer', 'name', far);
    for (const [link, host, addresses] of [
      [own, one, ownAddresses],
      [far, other, otherAddresses],
    ] as const) {
      if (host) ip('link', 'set', link, 'netns', host.name);
      const where = host ? ['-n', host.name] : [];
      for (const address of addresses)
        ip(...where, 'addr', 'add', address, 'dev', link, ...(address.includes(':') ? ['nodad'] : []));
      ip(...where, 'link', 'set', link, 'mtu', String(mtu), 'up');
    }
    return [own, far];
  }

  /** Calls a function of this process as if on this host: the sockets that it opens are there. It must not wait. */
  inside<T>(run: () => T): T {
    const setns = koffi!.load(null).func('setns', 'int', ['int', 'int']) as (
      descriptor: number,
      kind: number,
    ) => number;
    const [here, there] = [openSync('/proc/self/ns/net', 'r'), openSync(`/run/netns/${this.name}`, 'r')];
    try {
      if (setns(there, CLONE_NEWNET) !== 0) throw new Error(`${this.name} cannot be entered`);
      return run();
    } finally {
      setns(here, CLONE_NEWNET);
      closeSync(here);
      closeSync(there);
    }
  }

  /** Runs a program there and returns its first message. */
  async run(file: string, argument: unknown): Promise<Record<string, unknown>> {
    const args = ['netns', 'exec', this.name, process.execPath, file, JSON.stringify(argument)];
    const child = spawn('ip', args, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
    this.#children.push(child);
    const ended = once(child, 'exit').then(([code]) =>
      Promise.reject(new Error(`${file} ended with code ${String(code)}`)),
    );
    const [message] = (await Promise.race([once(child, 'message'), ended])) as [Record<string, unknown>];
    return message;
  }

  async remove(): Promise<void> {
    for (const child of this.#children) {
      if (child.exitCode !== null || child.signalCode !== null) continue;
      const exit = once(child, 'exit');
      child.kill('SIGKILL');
      await exit;
    }
    // also deletes its interfaces
    ip('netns', 'del', this.name);
  }
}

/** A router's port forwarding: packets to `host:port` by TCP or UDP go to the same port of another host, and back. */
export async function forwardPorts(
  host: string,
  tcpPort: number,
  udpPort: number,
  target: string,
): Promise<() => void> {
  const tcp = createServer((client) => {
    const inside = connect(tcpPort, target);
    for (const socket of [client, inside]) socket.on('error', () => socket.destroy());
    client.pipe(inside).pipe(client);
  });
  tcp.listen(tcpPort, host);
  const udp = createSocket('udp4');
  const insides = new Map<string, ReturnType<typeof createSocket>>();
  udp.on('message', (packet, { address, port }) => {
    let inside = insides.get(`${address}:${port}`);
    if (!inside) {
      inside = createSocket('udp4');
      inside.on('message', (answer) => udp.send(answer, port, address));
      insides.set(`${address}:${port}`, inside);
    }
    inside.send(packet, udpPort, target);
  });
  udp.bind(udpPort, host);
  await Promise.all([once(tcp, 'listening'), once(udp, 'listening')]);
  return () => {
    tcp.close();
    udp.close();
    for (const inside of insides.values()) inside.close();
  };
}
