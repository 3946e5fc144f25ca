import { CLIENT_SHELL_VERSION } from '@rmeet/contract';

/** The desktop client shows the app in a browser of its own, which names itself so in its user agent. */
const MARK = 'RmeetClient';
/** The `source` the new embedded client hands over. */
const SOURCE_CLIENT = 'client';

export function isClientShell(userAgent: string): boolean {
  return userAgent.includes(MARK);
}

/** A shell that says no version, or one before the management area moved into the app. */
export function isOldShell(version: string | null): boolean {
  const number = Number.parseInt(version ?? '', 10);
  return Number.isNaN(number) || number < CLIENT_SHELL_VERSION;
}

export function isClientSource(source: string | null): boolean {
  return source === SOURCE_CLIENT;
}
