import { spawn, spawnSync } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { mkdir, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Log } from '../../platform/log/log.ts';

/** What a conversion may use at most. */
interface ConverterLimits {
  /** Ms; then it is stopped. */
  time: number;
  /** Bytes of memory. */
  memory: number;
}

/** LibreOffice reserves about 1 GiB at its start. */
const CONVERTER_LIMITS: ConverterLimits = { time: 120_000, memory: 4 * 2 ** 30 };
/** The largest file that a conversion may write: bytes. */
const WRITTEN_MOST = 2 ** 30;
/** https://github.com/containers/bubblewrap */
const SANDBOX = 'bwrap';
/** What LibreOffice reads of the system. */
const READ = ['/usr', '/bin', '/lib', '/lib64', '/opt'];
const READ_OF_ETC = ['alternatives', 'fonts', 'ld.so.cache', 'libreoffice'].map((name) => `/etc/${name}`);

/**
 * Settings of a LibreOffice that reads files of strangers: no macros, and nothing that a file links to. It would read
 * pictures from this machine and from its networks otherwise.
 */
const SETTINGS = [
  ['Common/Security/Scripting', 'BlockUntrustedRefererLinks', 'true'],
  ['Common/Security/Scripting', 'DisableMacrosExecution', 'true'],
  ['Common/Security/Scripting', 'MacroSecurityLevel', '3'],
  ['Writer/Content/Update', 'Link', '2'],
  ['Calc/Content/Update', 'Link', '2'],
].map(
  ([path, name, value]) =>
    `<item oor:path="/org.openoffice.Office.${path}">` +
    `<prop oor:name="${name}" oor:op="fuse"><value>${value}</value></prop></item>`,
);
const PROFILE =
  '<?xml version="1.0" encoding="UTF-8"?>\n' +
  `<oor:items xmlns:oor="http://openoffice.org/2001/registry">${SETTINGS.join('')}</oor:items>\n`;

/**
 * Arguments of bubblewrap for a program that sees the system's programs and one folder, no other file, no network and
 * no other process.
 */
function sandboxed(soffice: string, folder: string | undefined): string[] {
  const program = dirname(realpathSync(soffice));
  const read = [...READ, ...READ_OF_ETC].flatMap((path) => ['--ro-bind-try', path, path]);
  const apart = ['--unshare-all', '--die-with-parent', '--new-session'];
  const mounts = ['--proc', '/proc', '--dev', '/dev', '--tmpfs', '/tmp', '--ro-bind', program, program];
  const own = folder === undefined ? [] : ['--bind', folder, folder, '--chdir', folder];
  return [...apart, ...read, ...mounts, ...own];
}

/**
 * The program of LibreOffice, if it can be run apart from the rest of this machine; undefined, with the reason in the
 * log, if not: office files are not shown then.
 */
export function usableConverter(soffice: string | undefined, log: Log): string | undefined {
  if (soffice === undefined) return undefined;
  let reason: string;
  try {
    const { status, stderr, error } = spawnSync(SANDBOX, [...sandboxed(soffice, undefined), '/bin/true'], {
      encoding: 'utf8',
    });
    if (status === 0) return soffice;
    reason = error?.message ?? stderr.trim();
  } catch (error) {
    reason = String(error);
  }
  log.warn({ reason }, 'Office files are not shown: RMEET_SOFFICE needs bubblewrap, which cannot run it');
  return undefined;
}

/**
 * Makes `file.pdf` of a file in the same folder. LibreOffice runs in a sandbox with this folder alone, without the
 * environment of this process, and within the limits.
 *
 * @throws Error if it fails, or reaches a limit
 */
export async function runConverter(
  soffice: string,
  folder: string,
  file: string,
  { time, memory }: ConverterLimits = CONVERTER_LIMITS,
): Promise<void> {
  const profile = join(folder, 'profile');
  await mkdir(join(profile, 'user'), { recursive: true });
  await writeFile(join(profile, 'user', 'registrymodifications.xcu'), PROFILE);
  // dash counts memory in KiB, and files in blocks of 512 bytes.
  const limits = `ulimit -v ${Math.floor(memory / 1_024)} && ulimit -f ${WRITTEN_MOST / 512}`;
  const result = ['--convert-to', 'pdf', '--outdir', folder, file];
  const args = ['--headless', '--norestore', '--nolockcheck', `-env:UserInstallation=${pathToFileURL(profile).href}`];
  const limited = ['/bin/sh', '-c', `${limits} && exec nice -n 10 "$0" "$@"`, realpathSync(soffice)];
  const child = spawn(SANDBOX, [...sandboxed(soffice, folder), ...limited, ...args, ...result], {
    env: { PATH: process.env['PATH'], HOME: folder, LANG: 'C.UTF-8' },
    stdio: 'ignore',
    // The sandbox ends with all that runs in it.
    timeout: time,
    killSignal: 'SIGKILL',
  });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  if (code !== 0) throw new Error(`The converter ended with ${code ?? 'a signal'}.`);
  await stat(join(folder, 'file.pdf'));
}
