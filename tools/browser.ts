import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { firefoxMissing, SLAPD_SKIPPED } from '@rmeet/testkit';

/** Debian's path of the tests' browser; RMEET_TEST_CHROMIUM sets another one. */
export const chromiumPath = process.env['RMEET_TEST_CHROMIUM'] ?? '/usr/bin/chromium';

const cjkFont = '/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc';

function missingPackages(): string[] {
  const missing: string[] = [];
  if (!existsSync(chromiumPath)) missing.push('chromium');
  if (!existsSync(cjkFont) && !hasChineseFont()) missing.push('fonts-noto-cjk');
  return missing;
}

function hasChineseFont(): boolean {
  const found = spawnSync('fc-list', [':lang=zh', 'family'], { encoding: 'utf8' });
  return found.status === 0 && found.stdout.trim() !== '';
}

/** Installs Debian packages, or returns a sentence that says what to install manually. */
export function installPackages(names: readonly string[], purpose: string): string | null {
  const sentence = `Install ${names.join(' and ')} (on Debian: apt-get install ${names.join(' ')}) for ${purpose}.`;
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return sentence;
  console.log(`Installing ${names.join(', ')} for ${purpose}.`);
  const environment = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const steps = [
    ['update', '-q'],
    ['install', '-q', '-y', '--no-install-recommends', ...names],
  ];
  for (const args of steps) {
    const result = spawnSync('apt-get', args, { env: environment, encoding: 'utf8' });
    if (result.status !== 0)
      return `${sentence} (apt-get ${args[0]} failed: ${result.stderr.trim().split('\n').at(-1)})`;
  }
  return null;
}

/**
 * Installs Chromium's shell, in which pages cost half; without it they are opened in the whole browser
 * (packages/testkit/src/browser.ts).
 */
export function offerLightBrowser(): void {
  const missing = existsSync('/usr/bin/chromium-headless-shell')
    ? null
    : installPackages(['chromium-headless-shell'], 'faster pages');
  if (missing !== null) console.log(missing);
}

/**
 * Installs Firefox and a sound server for it; without them, the scenarios in Firefox are skipped. If it cannot, it says
 * what to do manually.
 */
export function offerFirefox(): void {
  const missing =
    firefoxMissing() === null ? null : installPackages(['firefox-esr', 'pulseaudio'], 'the scenarios in Firefox');
  if (missing !== null) console.log(`${missing} They are skipped.`);
}

/** Installs coturn; without it, the tests of TURN are skipped. If it cannot, it says what to do manually. */
export function offerTurnServer(): void {
  const missing =
    existsSync('/usr/bin/turnserver') && hasProgram('openssl')
      ? null
      : installPackages(['coturn', 'openssl'], 'the tests of TURN');
  if (missing !== null) console.log(`${missing} They are skipped.`);
}

/** Installs an LDAP server; without it, the tests of directories are skipped. */
export function offerLdapServer(): void {
  const missing =
    SLAPD_SKIPPED === '' && hasProgram('openssl')
      ? null
      : installPackages(['slapd', 'ldap-utils', 'openssl'], 'the tests of directories');
  if (missing !== null) console.log(`${missing} They are skipped.`);
}

/** Installs a software token, which stands for a key device; without it, its tests are skipped. */
export function offerSoftToken(): void {
  const missing =
    existsSync('/usr/lib/softhsm/libsofthsm2.so') && existsSync('/usr/bin/pkcs11-tool')
      ? null
      : installPackages(['softhsm2', 'opensc', 'openssl'], 'the tests of key devices');
  if (missing !== null) console.log(`${missing} They are skipped.`);
}

/** Installs a virus scanner; without it, its tests are skipped. */
export function offerVirusScanner(): void {
  const missing = existsSync('/usr/sbin/clamd')
    ? null
    : installPackages(['clamav-daemon'], 'the tests of the virus scanner');
  if (missing !== null) console.log(`${missing} They are skipped.`);
}

/** LibreOffice's parts for texts, tables and slides, without a screen. */
const OFFICE_PARTS = ['writer', 'calc', 'impress'];

/**
 * Installs LibreOffice, the sandbox in which it runs, and a reader of PDF; without them, the tests of office files are
 * skipped.
 */
export function offerOffice(): void {
  const hasOffice = OFFICE_PARTS.every((part) => existsSync(`/usr/share/doc/libreoffice-${part}-nogui`));
  const hasWhole = OFFICE_PARTS.every((part) => existsSync(`/usr/share/doc/libreoffice-${part}`));
  const missing =
    (hasOffice || hasWhole) && existsSync('/usr/bin/bwrap') && existsSync('/usr/bin/pdftotext')
      ? null
      : installPackages(
          [...OFFICE_PARTS.map((part) => `libreoffice-${part}-nogui`), 'bubblewrap', 'poppler-utils'],
          'the tests of office files',
        );
  if (missing !== null) console.log(`${missing} They are skipped.`);
}

/**
 * Installs WebKit with its driver, and a screen for it (packages/testkit/src/webkit.ts); without them, its scenarios
 * are skipped.
 */
export function offerWebKit(): void {
  const missing =
    existsSync('/usr/bin/WebKitWebDriver') && existsSync('/usr/bin/Xvfb')
      ? null
      : installPackages(['webkit2gtk-driver', 'xvfb'], 'the pages in WebKit');
  if (missing !== null) console.log(`${missing} They are skipped.`);
}

/** Installs dateutil, with which recurrence rules are compared. */
export function offerDateutil(): void {
  const isThere = ['/usr/bin/python3', 'python3'].some(
    (program) => spawnSync(program, ['-c', 'import dateutil'], { stdio: 'ignore' }).status === 0,
  );
  const missing = isThere ? null : installPackages(['python3-dateutil'], 'comparing recurrence rules');
  if (missing !== null) console.log(`${missing} It is skipped.`);
}

function hasProgram(name: string): boolean {
  return spawnSync(name, ['version'], { stdio: 'ignore' }).status === 0;
}

/** Installs Chromium and a font for Chinese; returns what to do manually if it cannot. */
export function ensureBrowser(): string | null {
  const missing = missingPackages();
  return missing.length === 0 ? null : installPackages(missing, 'the browser tests');
}
