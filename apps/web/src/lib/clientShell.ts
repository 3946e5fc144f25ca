import { CLIENT_SHELL_VERSION } from '@rmeet/contract';

/** The desktop client embeds a browser, whose user agent contains this name. */
const MARK = 'RmeetClient';
/** The `source` value that the new embedded client sends. */
const SOURCE_CLIENT = 'client';

export function isClientShell(userAgent: string): boolean {
  return userAgent.includes(MARK);
}

/** True for a client without a version, or older than the move of the management area into the app. */
export function isOldShell(version: string | null): boolean {
  const number = Number.parseInt(version ?? '', 10);
  return Number.isNaN(number) || number < CLIENT_SHELL_VERSION;
}

/** The user agent of a Linux system; phones with Android name it, too. */
function isLinux(userAgent: string): boolean {
  return userAgent.toLowerCase().includes('linux');
}

/**
 * Whether a page was opened by the client for Windows.
 *
 * @param platform storage key `platform`, which the client passes
 */
export function isWindowsContext(userAgent: string, platform: string | null): boolean {
  return isClientShell(userAgent) && !isLinux(userAgent) && platform?.toLowerCase() !== 'mac';
}

export function isClientSource(source: string | null): boolean {
  return source === SOURCE_CLIENT;
}
