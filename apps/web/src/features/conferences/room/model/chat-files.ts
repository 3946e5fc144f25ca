import { allowancesOf, leads, type ConferenceControl } from '@rmeet/conference';
import { MEGABYTE, type ChatFileRules, type ChatMessage } from '@rmeet/contract';
import { firstLine } from './chat-partners.ts';

/** Files that can be added to one message at once; each becomes a message of its own. */
export const FILES_AT_ONCE = 10;

/**
 * Why the user cannot send files in this meeting now; null if they can. Each reason has its sentence under
 * `chatFiles.barrier`. `undefined` rules come from a server that knows no files in the chat: the page shows no button.
 */
export function filesBarrier(
  rules: ChatFileRules | undefined,
  control: ConferenceControl,
  me: string,
): NonNullable<ChatFileRules['barrier']> | 'chair' | null {
  if (rules === undefined) return null;
  if (rules.barrier !== null) return rules.barrier;
  return allowancesOf(control).chatFiles || leads(control, me) ? null : 'chair';
}

/** What can be said of a file before it is sent. */
export type FileFault = { why: 'tooLarge' | 'empty'; name: string } | { why: 'tooMany' };

/** The files that may be added to those that are waiting, and why others may not. The server decides on kinds. */
export function sortFiles<F extends { name: string; size: number }>(
  added: readonly F[],
  waiting: number,
  { megabytes }: Pick<ChatFileRules, 'megabytes'>,
): { files: F[]; fault: FileFault | null } {
  const files: F[] = [];
  let fault: FileFault | null = null;
  for (const file of added) {
    if (file.size === 0) fault = { why: 'empty', name: file.name };
    else if (file.size > megabytes * MEGABYTE) fault = { why: 'tooLarge', name: file.name };
    else if (waiting + files.length >= FILES_AT_ONCE) fault = { why: 'tooMany' };
    else files.push(file);
  }
  return { files, fault };
}

/** What a quote or a preview shows of a message: its first line, else the name of its file. */
export const summaryOf = ({ text, file }: Pick<ChatMessage, 'text' | 'file'>): string =>
  text === '' ? (file?.name ?? '') : firstLine(text);
