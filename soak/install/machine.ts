import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from '@rmeet/testkit';

const ROOT = join(import.meta.dirname, '..', '..');
/** Folder for the packages of a machine's base system, outside the clone. */
const CACHE = join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'rmeet-install');
const MIRROR = 'http://deb.debian.org/debian';
const CERTIFICATES = process.env['NODE_EXTRA_CA_CERTS'];

export type Release = 'trixie' | 'bookworm';

/** A separate Debian system started by systemd, in the network of this machine. */
export interface Machine {
  folder: string;
  /**
   * Runs a script with `sh -e`, as root or another account. @returns its output. @throws Error with the output if it
   * fails
   */
  run: (script: string, as?: string) => string;
  /** Starts a script that keeps running. */
  start: (script: string, as: string) => ChildProcess;
  stop: () => Promise<void>;
}

function must(command: string, args: string[]): void {
  const { status, stderr, error } = spawnSync(command, args, { encoding: 'utf8', maxBuffer: 1e9 });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}: ${error?.message ?? stderr}`);
}

/** The base installation of debootstrap, and systemd. Nothing else is installed, neither Node nor git. */
function base(release: Release): string {
  const folder = join(CACHE, release);
  if (existsSync(folder)) return folder;
  mkdirSync(CACHE, { recursive: true });
  const making = mkdtempSync(join(CACHE, 'making-'));
  must('debootstrap', ['--variant=minbase', '--include=systemd,systemd-sysv,dbus', release, making, MIRROR]);
  must('chmod', ['755', making]);
  renameSync(making, folder);
  return folder;
}

/** Redirects the clone's address to this tree's last commit, and names in the document to this machine. */
function prepare(folder: string): void {
  cpSync('/etc/resolv.conf', join(folder, 'etc', 'resolv.conf'), { dereference: true });
  writeFileSync(
    join(folder, 'etc', 'hosts'),
    '127.0.0.1 localhost meet.example.org mail.example.org turn.example.org\n',
  );
  // A machine that exists for minutes need not flush each package to its disk.
  writeFileSync(join(folder, 'etc/dpkg/dpkg.cfg.d/unsafe-io'), 'force-unsafe-io\n');
  must('git', ['clone', '--quiet', '--bare', '--no-hardlinks', ROOT, join(folder, 'srv', 'rmeet.git')]);
  writeFileSync(
    join(folder, 'etc', 'gitconfig'),
    '[url "/srv/rmeet.git"]\n\tinsteadOf = https://git.example.org/rmeet.git\n[safe]\n\tdirectory = *\n',
  );
  // A registry behind a company's certificate must be reachable from inside, too.
  if (CERTIFICATES) {
    writeFileSync(join(folder, 'etc', 'authorities.pem'), readFileSync(CERTIFICATES));
  }
}

/** Arguments of nsenter that run a script in the namespaces of a process, as an account. */
function enterArguments(leader: string, script: string, as: string): string[] {
  const environment = [
    `HOME=${as === 'root' ? '/root' : `/home/${as}`}`,
    'PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
    'LANG=C.UTF-8',
    'DEBIAN_FRONTEND=noninteractive',
    ...(CERTIFICATES ? ['NODE_EXTRA_CA_CERTS=/etc/authorities.pem', 'npm_config_cafile=/etc/authorities.pem'] : []),
  ];
  const account = as === 'root' ? [] : ['runuser', '-u', as, '--'];
  return [
    '--target',
    leader,
    '--mount',
    '--uts',
    '--ipc',
    '--pid',
    '--root',
    '--wdns=/',
    'env',
    '--ignore-environment',
    ...environment,
    ...account,
    'sh',
    '-ec',
    `cd ~\n${script}`,
  ];
}

/**
 * Starts such a system in its own folder, with systemd as its first process (systemd-nspawn).
 *
 * @throws Error if debootstrap or systemd-nspawn is missing, or this account is not root
 */
// oxlint-disable-next-line max-lines-per-function -- a machine: what starts, runs and stops it belong together
export async function startMachine(release: Release): Promise<Machine> {
  const folder = mkdtempSync(join(tmpdir(), 'rmeet-machine-'));
  must('cp', ['-a', `${base(release)}/.`, folder]);
  prepare(folder);
  const nspawn = spawn(
    'systemd-nspawn',
    [
      '--quiet',
      '--register=no',
      '--keep-unit',
      '--resolv-conf=off',
      '--timezone=off',
      '--console=pipe',
      '--boot',
      '--directory',
      folder,
    ],
    { env: { ...process.env, SYSTEMD_NSPAWN_UNIFIED_HIERARCHY: '1' }, stdio: ['ignore', 'ignore', 'pipe'] },
  );
  let complaints = '';
  nspawn.stderr.on('data', (chunk: Buffer) => {
    complaints += chunk.toString();
  });
  const leader = (): string =>
    readFileSync(`/proc/${nspawn.pid}/task/${nspawn.pid}/children`, 'utf8').trim().split(' ')[0] ?? '';
  const inside = (script: string, as: string): string[] => enterArguments(leader(), script, as);
  const run: Machine['run'] = (script, as = 'root') => {
    const { status, stdout, stderr } = spawnSync('nsenter', inside(script, as), { encoding: 'utf8', maxBuffer: 1e9 });
    if (status !== 0)
      throw new Error(`${script}\nended with code ${status}:\n${stdout.slice(-3_000)}\n${stderr.slice(-3_000)}`);
    return stdout;
  };
  const hasEnded = (): boolean => nspawn.exitCode !== null || nspawn.signalCode !== null;
  const stop = async (): Promise<void> => {
    // The first signal shuts the system down, the second one kills the rest.
    nspawn.kill('SIGTERM');
    await until('the machine has shut down', hasEnded, { within: 30_000 }).catch(() => nspawn.kill('SIGTERM'));
    await until('the machine has stopped', hasEnded, { within: 30_000 });
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
  };
  try {
    await until(
      'systemd has started',
      () => hasEnded() || /running|degraded/.test(run('systemctl is-system-running || true')),
      { within: 60_000 },
    );
    if (hasEnded()) throw new Error(`systemd-nspawn could not start the machine: ${complaints}`);
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    folder,
    run,
    start: (script, as) => spawn('nsenter', inside(script, as), { stdio: ['ignore', 'pipe', 'pipe'] }),
    stop,
  };
}
