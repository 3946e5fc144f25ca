import { manualAddress, type ManualPage } from '@rmeet/manual/pages';
import { isClientShell } from './clientShell.ts';
import { language } from './i18n/index.ts';

/** The address of a page of the manual in the current language; without one, of its start. */
export const manualLink = (page?: ManualPage): string => manualAddress(language(), page);

/**
 * Whether links to the manual are shown: not in the client for Windows (product document, section 2). `platform`: what
 * the client has stored of its system.
 */
export function isManualShown(userAgent: string, platform: string | null): boolean {
  return !isClientShell(userAgent) || /mac/i.test(platform ?? '') || /Macintosh|Mac OS X/.test(userAgent);
}
