import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { freePort, until } from '@rmeet/testkit';
import { readFlv, type FlvFile } from './film.ts';

export interface MediaServer {
  port: number;
  /** RTMPS, with a certificate for "localhost" that is signed by itself. */
  securePort: number;
  ca: string;
  /** What the server stored of a stream, once it satisfies `is`. */
  film(stream: string, what: string, is: (film: FlvFile) => boolean): Promise<FlvFile>;
  /** The file of a stream. */
  path(stream: string): string;
  stop(): Promise<void>;
}

/** Node-Media-Server, which no one here wrote: takes streams by RTMP and RTMPS and stores them as FLV files. */
export async function startMediaServer(): Promise<MediaServer> {
  const folder = mkdtempSync(join(tmpdir(), 'rmeet-rtmp-'));
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const request = 'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 1 -subj /CN=localhost';
  const names = ['-addext', 'subjectAltName=DNS:localhost'];
  execFileSync('openssl', [...request.split(' '), ...names, '-keyout', key, '-out', cert], { stdio: 'ignore' });
  const [port, securePort, httpPort] = [await freePort(), await freePort(), await freePort()];
  const record = join(folder, 'record');
  const config = {
    bind: '127.0.0.1',
    notify: { url: '' },
    store: { path: join(folder, 'data') },
    auth: { play: false, publish: false, secret: '', jwt: { secret: 'x'.repeat(40), users: [] } },
    rtmp: { port },
    rtmps: { port: securePort, key, cert },
    http: { port: httpPort },
    record: { auto: true, path: record },
  };
  writeFileSync(join(folder, 'config.json'), JSON.stringify(config));
  const main = createRequire(import.meta.url).resolve('node-media-server');
  const child = spawn(
    process.execPath,
    [join(dirname(main), '..', 'bin', 'app.js'), '--no-admin', '-c', join(folder, 'config.json')],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  );
  let log = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (bytes: Buffer) => (log += bytes.toString()));
  await until('the media server listens', () => {
    if (child.exitCode !== null) throw new Error(log);
    return /Rtmps Server listening/.test(log);
  });
  const path = (stream: string): string => {
    const files = join(record, 'live', stream);
    return join(files, readdirSync(files)[0]!);
  };
  return {
    port,
    securePort,
    ca: readFileSync(cert, 'utf8'),
    path,
    film: (stream, what, is) =>
      until(what, () => {
        const film = readFlv(path(stream));
        return is(film) ? film : null;
      }),
    stop: async () => {
      const closed = once(child, 'close');
      child.kill();
      await closed;
      rmSync(folder, { recursive: true });
    },
  };
}
