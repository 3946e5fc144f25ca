import { allowancesOf, leads, type ConferencePart } from '@rmeet/conference';
import { isEncryptedText, type ChatBody, type ChatMessage } from '@rmeet/contract';
import type { Db, TenantTx } from '../../platform/db/index.ts';
import { AppError, type Context, type TerminalCaller } from '../../platform/http/index.ts';
import type { Push, PushEvent } from '../../platform/push/index.ts';
import { recordAudit } from '../audit/index.ts';
import { findMeeting } from '../meetings/index.ts';
import { insideTerminal } from './control/index.ts';
import { mayDo } from './policy.ts';
import { deleteMessageText, findMessage, insertMessage } from './repo.ts';
import { presentMessage } from './state.ts';
import type { ChatMessageRow, ConferenceRow } from './tables.ts';

type TerminalContext = Context & { caller: TerminalCaller };
/** A private message has a receiver. */
type Parties = Pick<ChatMessageRow, 'termId' | 'toTermId'>;

export interface ChatDeps {
  db: Db;
  push: Push;
  now: () => Date;
}

/** The chat of a conference. A private message is stored and sent like others, but only its two parties get it. */
export function createChat({ db, push, now }: ChatDeps) {
  async function publish(tx: TenantTx, conference: ConferenceRow, parties: Parties, event: PushEvent): Promise<void> {
    const topic = `meeting:${conference.meetingId}`;
    const stored = { ...event, conferenceId: conference.id };
    if (parties.toTermId === null) await push.publish(tx, topic, stored);
    else for (const termId of [parties.termId, parties.toTermId]) await push.publishTo(tx, topic, stored, { termId });
  }

  return {
    /**
     * Posts a message. A repeated call with the same id has no further effect.
     *
     * @throws AppError CHAT_OFF, CHAT_HOSTS_ONLY, REPLY_UNKNOWN, TERMINAL_ABSENT, E2EE_KEY_REQUIRED
     */
    async say({ caller }: TerminalContext, meetId: string, body: ChatBody): Promise<ChatMessage> {
      return db.tenant(caller.tenantId, async (tx) => {
        const { conference, me, parts } = await insideTerminal(tx, caller, meetId, 'chat');
        checkAudience(conference, parts, body.to);
        checkText(conference, body.text);
        const receiver = body.to === undefined ? null : receiverOf(conference, me.termId, body.to);
        const parties = { termId: me.termId, toTermId: receiver?.termId ?? null };
        if (body.replyTo !== undefined) await checkReply(tx, conference, parties, body.replyTo);
        const { row, isNew } = await insertMessage(tx, {
          id: body.id,
          conferenceId: conference.id,
          ...parties,
          toName: receiver?.name ?? null,
          name: me.name,
          text: body.text,
          replyTo: body.replyTo ?? null,
          sentAt: now(),
          deletedAt: null,
        });
        if (row.termId !== me.termId) throw new AppError('INVALID_INPUT');
        const message = presentMessage(row);
        if (isNew) await publish(tx, conference, row, { type: 'chat', message });
        return message;
      });
    },

    /**
     * Deletes the text of a message: an own one, or for those with the right one that all can see.
     *
     * @throws AppError NOT_FOUND, FORBIDDEN
     */
    async deleteMessage(context: TerminalContext, meetId: string, id: string): Promise<void> {
      const { caller } = context;
      await db.tenant(caller.tenantId, async (tx) => {
        const { conference, me, parts } = await insideTerminal(tx, caller, meetId, 'see');
        const message = await findMessage(tx, conference.id, id);
        if (!message || !isVisibleTo(message, me.termId)) throw new AppError('NOT_FOUND');
        const mayDelete = message.toTermId === null && mayDo(parts, 'deleteMessages');
        if (message.termId !== me.termId && !mayDelete) throw new AppError('FORBIDDEN');
        if (message.deletedAt !== null) return;
        await deleteMessageText(tx, conference.id, id, now());
        await publish(tx, conference, message, { type: 'chatDeleted', id });
        const meeting = await findMeeting(tx, conference.meetingId);
        await recordAudit(tx, context, now(), {
          target: { kind: 'conference', id: conference.id, name: meeting?.subject ?? '' },
          after: { names: [message.name] },
        });
      });
    },
  };
}

export type Chat = ReturnType<typeof createChat>;

const isVisibleTo = ({ termId, toTermId }: Parties, reader: string): boolean =>
  toTermId === null || termId === reader || toTermId === reader;

/** @throws AppError CHAT_OFF, CHAT_HOSTS_ONLY */
function checkAudience({ control }: ConferenceRow, parts: readonly ConferencePart[], to: string | undefined): void {
  const { chatFor } = allowancesOf(control);
  if (chatFor === 'all' || mayDo(parts, 'chat')) return;
  if (chatFor === 'nobody') throw new AppError('CHAT_OFF');
  if (to === undefined || !leads(control, to)) throw new AppError('CHAT_HOSTS_ONLY');
}

/** @throws AppError E2EE_KEY_REQUIRED for a readable text in an encrypted conference, INVALID_INPUT for the opposite */
function checkText({ control }: ConferenceRow, text: string): void {
  const isEncrypted = control.e2ee === true;
  if (isEncryptedText(text) === isEncrypted) return;
  throw isEncrypted ? new AppError('E2EE_KEY_REQUIRED') : new AppError('INVALID_INPUT', {}, { text });
}

/** @throws AppError TERMINAL_ABSENT, INVALID_INPUT for a message to oneself */
function receiverOf(
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
async function checkReply(tx: TenantTx, { id }: ConferenceRow, reply: Parties, replyTo: string): Promise<void> {
  const original = await findMessage(tx, id, replyTo);
  if (!original || !isBetweenSame(original, reply)) throw new AppError('REPLY_UNKNOWN');
}

/** Whether a message may be answered so: one to all in any way, a private one between its two parties. */
function isBetweenSame(original: Parties, reply: Parties): boolean {
  const parties = new Set([original.termId, original.toTermId]);
  return original.toTermId === null || (parties.has(reply.termId) && parties.has(reply.toTermId));
}
