import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PUSH_PATH } from '@rmeet/contract';
import { createApi, until } from '@rmeet/testkit';
import { expect, test } from 'vitest';
import { freeTcpPort } from '../../src/platform/process/index.ts';
import { tempFolder } from './support/db.ts';
import { PushClient } from './support/socket.ts';

const SUPERVISOR = fileURLToPath(new URL('../../src/supervisor.ts', import.meta.url));
/** So few that connections have 600 of them, of which 150 are for unauthenticated ones. */
const HANDLES = 1_200;
const ATTACKERS = 1_200;

test(
  `with ${HANDLES} file handles, ${ATTACKERS} silent connections and as many for pushes block no one`,
  { timeout: 300_000 },
  async () => {
    const folder = await tempFolder();
    const port = await freeTcpPort();
    const { DATABASE_URL: _, ...inherited } = process.env;
    const child = spawn('sh', ['-c', `ulimit -n ${HANDLES} && exec "$0" "$1"`, process.execPath, SUPERVISOR], {
      env: {
        ...Object.fromEntries(Object.entries(inherited).filter(([name]) => !name.startsWith('RMEET_'))),
        RMEET_DATA: folder.path,
        RMEET_PORT: String(port),
        RMEET_MEDIA_PORT: '0',
        RMEET_MEDIA_PROCESSES: '1',
        RMEET_SEED: 'demo',
        RMEET_LOG: 'warn',
      },
      stdio: 'ignore',
    });
    const exit = once(child, 'exit');
    const url = `http://127.0.0.1:${port}`;
    const sockets: Socket[] = [];
    try {
      await until('the product is ready', async () => (await fetch(`${url}/readyz`)).ok, {
        within: 90_000,
        every: 200,
      });
      const { serverPid } = JSON.parse(readFileSync(join(folder.path, 'run.json'), 'utf8')) as { serverPid: number };
      const handles = (): number => readdirSync(`/proc/${serverPid}/fd`).length;
      const api = createApi(url);
      const alice = await api.as('alice');
      const push = await PushClient.open(`${url.replace('http', 'ws')}${PUSH_PATH}`, { token: alice.token });
      const before = handles();
      for (const words of [
        '',
        `GET ${PUSH_PATH} HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: upgrade\r\nupgrade: ` +
          `websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n`,
      ]) {
        await Promise.all(
          Array.from({ length: ATTACKERS }, async (_value, index) => {
            const socket = connect({
              host: '127.0.0.1',
              port,
              localAddress: `127.0.0.${10 + (index % 20)}`,
              allowHalfOpen: true,
            });
            sockets.push(socket);
            socket.on('error', () => socket.destroy());
            await Promise.race([once(socket, 'connect'), once(socket, 'close')]);
            if (!socket.destroyed) socket.write(words);
          }),
        );
        expect(await (await fetch(`${url}/healthz`)).json()).toEqual({ status: 'ok' });
        expect(handles()).toBeLessThan(before + 200);
        await alice.meetings.list({ query: {} });
        await (await api.as('bob')).meetings.list({ query: {} });
        push.send({ ping: 1 });
        await until('the push socket answers', () => push.messages.some((message) => message['pong'] === 1));
      }
      // They are held on this side, and not closed.
      await until('the attackers are gone', () => handles() < before + 20, { within: 60_000, every: 200 });
      push.socket.terminate();
    } finally {
      for (const socket of sockets) socket.destroy();
      child.kill('SIGTERM');
      await exit;
      await folder.remove();
    }
  },
);
