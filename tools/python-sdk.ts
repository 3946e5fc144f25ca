import { spawnSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PYTHON_SDK_FOLDER, PYTHON_SDK_INSTALLED, PYTHON_SDK_VERSION, pythonSdkMissing } from '@rmeet/testkit';

const OLDEST = [3, 9] as const;

/**
 * Installs LiveKit's Python SDK from PyPI into a virtual environment in a cache folder; without it, its tests are
 * skipped. If it cannot, it prints why.
 */
export function offerPythonSdk(): void {
  if (pythonSdkMissing() === undefined) return;
  const reason = install();
  if (reason === undefined) return;
  rmSync(PYTHON_SDK_FOLDER, { recursive: true, force: true });
  console.log(`The tests of LiveKit's Python SDK are skipped: ${reason}.`);
}

function install(): string | undefined {
  const [major, minor] = OLDEST;
  const test = spawnSync('python3', ['-c', `import sys; sys.exit(sys.version_info < (${major}, ${minor}))`]);
  if (test.status !== 0) return `there is no python3 of version ${major}.${minor} or newer`;
  console.log(`Installing LiveKit's Python SDK ${PYTHON_SDK_VERSION}, once.`);
  rmSync(PYTHON_SDK_FOLDER, { recursive: true, force: true });
  const venv = spawnSync('python3', ['-m', 'venv', PYTHON_SDK_FOLDER], { encoding: 'utf8' });
  if (venv.status !== 0) return 'python3 -m venv failed (on Debian: apt-get install python3-venv)';
  const pip = spawnSync(
    join(PYTHON_SDK_FOLDER, 'bin', 'pip'),
    ['install', '--quiet', '--disable-pip-version-check', `livekit==${PYTHON_SDK_VERSION}`],
    { encoding: 'utf8', timeout: 300_000 },
  );
  if (pip.status !== 0) return `pip could not install it (${(pip.stderr ?? '').trim().split('\n').at(-1) ?? ''})`;
  writeFileSync(PYTHON_SDK_INSTALLED, '');
  return undefined;
}
