import { allowancesOf, leads, type ConferencePart } from '@rmeet/conference';
import type { TenantTx } from '../../../platform/db/index.ts';
import { AppError } from '../../../platform/http/index.ts';
import { mayDo } from '../policy.ts';
import { findMessage, findOfAccounts } from '../repo.ts';
import type { ChatMessageRow, ConferenceRow, TerminalRow } from '../tables.ts';

/** Who a message is from and for. A private message has a receiver. */
export type Parties = Pick<ChatMessageRow, 'termId' | 'toTermId'>;

/** Whether one of these terminals of a reader gets a message; all get one that is not private. */
export const isVisibleTo = ({ termId, toTermId }: Parties, readers: readonly string[]): boolean =>
  toTermId === null || readers.includes(termId) || readers.includes(toTermId);

/**
 * The terminal and the earlier ones of its account, whose private messages it gets as well. Guests are known by marks
 * of their browsers only, which is not enough for that.
 */
export async function ownTerminals(
  tx: TenantTx,
  { conferenceId, accountId, termId }: Pick<TerminalRow, 'conferenceId' | 'accountId' | 'termId'>,
): Promise<string[]> {
  const earlier = await findOfAccounts(tx, conferenceId, accountId === null ? [] : [accountId]);
  return [termId, ...earlier.map((row) => row.termId)];
}

/** @throws AppError CHAT_OFF, CHAT_HOSTS_ONLY */
export function checkAudience(
  { control }: ConferenceRow,
  parts: readonly ConferencePart[],
  to: string | undefined,
): void {
  const { chatFor } = allowancesOf(control);
  if (chatFor === 'all' || mayDo(parts, 'chat')) return;
  if (chatFor === 'nobody') throw new AppError('CHAT_OFF');
  if (to === undefined || !leads(control, to)) throw new AppError('CHAT_HOSTS_ONLY');
}

/** @throws AppError TERMINAL_ABSENT, INVALID_INPUT for a message to oneself */
export function receiverOf(
  { control: { terminals } }: ConferenceRow,
  sender: string,
  termId: string,
): { termId: string; name: string } {
  const entry = terminals[termId];
  if (!entry?.present) throw new AppError('TERMINAL_ABSENT', { names: entry?.name ?? termId });
  if (termId === sender) throw new AppError('INVALID_INPUT', {}, { to: termId });
  return { termId, name: entry.name };
}

/** A private message is answered in private, between the same two. @throws AppError REPLY_UNKNOWN */
export async function checkReply(
  tx: TenantTx,
  { id }: ConferenceRow,
  reply: Parties,
  replyTo: string | undefined,
): Promise<void> {
  if (replyTo === undefined) return;
  const original = await findMessage(tx, id, replyTo);
  if (!original || !isBetweenSame(original, reply)) throw new AppError('REPLY_UNKNOWN');
}

/** Whether a message may be answered so: one to all in any way, a private one between its two parties. */
function isBetweenSame(original: Parties, reply: Parties): boolean {
  const parties = new Set([original.termId, original.toTermId]);
  return original.toTermId === null || (parties.has(reply.termId) && parties.has(reply.toTermId));
}
