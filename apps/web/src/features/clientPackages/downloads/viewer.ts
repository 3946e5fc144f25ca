import { isClientShell, isClientSource } from '../../../lib/clientShell.ts';

/** What the pages know of the program that shows them. */
export interface Viewer {
  userAgent: string;
  /** Storage key `source`. */
  source: string | null;
  /** Storage key `platform`. */
  platform: string | null;
}

/** Clients whose package is scanned from a dialog. */
export type Scanned = 'android' | 'ios';

/** Whether the header has the download icon: in the new embedded client, and in browsers. */
export const isDownloadShown = ({ userAgent, source }: Pick<Viewer, 'userAgent' | 'source'>): boolean =>
  !isClientShell(userAgent) || isClientSource(source);
