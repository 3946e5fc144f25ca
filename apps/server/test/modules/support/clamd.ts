import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from '@rmeet/testkit';
import { EICAR } from './meeting-files.ts';

const PROGRAM = '/usr/sbin/clamd';
/** Debian's virus scanner (package clamav-daemon); without it its tests are skipped. */
export const CLAMD_SKIPPED = existsSync(PROGRAM) ? '' : ' (skipped: clamav-daemon is missing)';
/** clamd adds `.UNOFFICIAL` to the names of signatures that its makers did not sign. */
export const EICAR_FINDING = 'Rmeet.Test.Eicar.UNOFFICIAL';

export interface RealClamd {
  /** The path of its socket, for RMEET_CLAMD. */
  address: string;
  /** Ends it; its folder stays. */
  away(): Promise<void>;
  back(): Promise<void>;
  remove(): Promise<void>;
}

function isAnswering(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ path }, () => socket.write('zPING\0'));
    socket.on('data', (data) => {
      resolve(data.toString().startsWith('PONG'));
      socket.destroy();
    });
    socket.on('error', () => resolve(false));
  });
}

/** Starts clamd with one signature, that of EICAR. It takes files up to 4 MB, and reads 16 MB of an archive. */
export async function startRealClamd(): Promise<RealClamd> {
  const folder = await mkdtemp(join(tmpdir(), 'rmeet-clamd-'));
  const [address, config, signatures] = [join(folder, 'socket'), join(folder, 'clamd.conf'), join(folder, 'db')];
  await mkdir(signatures);
  // An extended signature (name, any type of file, any place, bytes), ClamAV's manual, "Body-based Signature".
  await writeFile(join(signatures, 'test.ndb'), `Rmeet.Test.Eicar:0:*:${Buffer.from(EICAR).toString('hex')}\n`);
  await writeFile(
    config,
    [
      'Foreground yes',
      `DatabaseDirectory ${signatures}`,
      `TemporaryDirectory ${folder}`,
      `LocalSocket ${address}`,
      'StreamMaxLength 4M',
      'MaxScanSize 16M',
      'MaxFileSize 16M',
      'AlertExceedsMax yes',
      '',
    ].join('\n'),
  );
  let program: ChildProcess | undefined;
  async function back(): Promise<void> {
    program = spawn(PROGRAM, ['--config-file', config], { stdio: 'ignore' });
    await until('clamd answers', () => isAnswering(address), { within: 30_000 });
  }
  async function away(): Promise<void> {
    if (!program || program.exitCode !== null || program.signalCode !== null) return;
    const ended = once(program, 'exit');
    program.kill('SIGTERM');
    await ended;
  }
  await back();
  return {
    address,
    away,
    back,
    async remove() {
      await away();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
