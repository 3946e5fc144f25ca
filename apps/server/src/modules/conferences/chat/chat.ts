import { isEncryptedText, type ChatBody, type ChatMessage, type ReceivedFile } from '@rmeet/contract';
import type { Db, TenantTx } from '../../../platform/db/index.ts';
import { AppError, type Context, type TerminalCaller } from '../../../platform/http/index.ts';
import type { Push, PushEvent } from '../../../platform/push/index.ts';
import type { Storage } from '../../../platform/storage/index.ts';
import { recordAudit } from '../../audit/index.ts';
import { findFile, removeFile } from '../../files/index.ts';
import { findMeeting } from '../../meetings/index.ts';
import { insideTerminal, type Authorization } from '../control/index.ts';
import { mayDo } from '../policy.ts';
import { emptyMessage, findMessage, insertMessage } from '../repo.ts';
import { presentMessage } from '../state.ts';
import type { ChatMessageRow, ConferenceRow, TerminalRow } from '../tables.ts';
import { keepFile } from './files.ts';
import { checkAudience, checkReply, isVisibleTo, receiverOf, type Parties } from './parties.ts';

type TerminalContext = Context & { caller: TerminalCaller };

export interface ChatDeps {
  db: Db;
  push: Push;
  storage: Storage;
  now: () => Date;
}

/** Stores messages and tells those who get them. */
function createPosting({ push, storage, now }: ChatDeps) {
  async function publish(tx: TenantTx, conference: ConferenceRow, parties: Parties, event: PushEvent): Promise<void> {
    const topic = `meeting:${conference.meetingId}`;
    const stored = { ...event, conferenceId: conference.id };
    if (parties.toTermId === null) await push.publish(tx, topic, stored);
    else for (const termId of [parties.termId, parties.toTermId]) await push.publishTo(tx, topic, stored, { termId });
  }

  /** Stores a message with its file. */
  async function post(
    tx: TenantTx,
    { conference, me, parts }: Authorization & { me: TerminalRow },
    body: ChatBody,
    received: ReceivedFile | undefined,
  ): Promise<ChatMessage> {
    checkAudience(conference, parts, body.to);
    if (body.text !== '') checkText(conference, body.text);
    const receiver = body.to === undefined ? null : receiverOf(conference, me.termId, body.to);
    const parties = { termId: me.termId, toTermId: receiver?.termId ?? null };
    await checkReply(tx, conference, parties, body.replyTo);
    const file = received && (await keepFile(tx, { conference, me, parts }, received, now()));
    const { row } = await insertMessage(tx, {
      id: body.id,
      conferenceId: conference.id,
      ...parties,
      toName: receiver?.name ?? null,
      name: me.name,
      text: body.text,
      fileId: file?.id ?? null,
      replyTo: body.replyTo ?? null,
      sentAt: now(),
      deletedAt: null,
    });
    const message = presentMessage(row, file);
    await publish(tx, conference, row, { type: 'chat', message });
    return message;
  }

  /** The message of a call that repeats an earlier one; its file is not stored again. */
  async function repeated(
    tx: TenantTx,
    row: ChatMessageRow,
    termId: string,
    received: ReceivedFile | undefined,
  ): Promise<ChatMessage> {
    if (row.termId !== termId) throw new AppError('INVALID_INPUT');
    if (received) tx.afterCommit(() => storage.delete(received.key));
    return presentMessage(row, row.fileId === null ? undefined : await findFile(tx, row.fileId));
  }

  return { publish, post, repeated };
}

/** The chat of a conference. A private message is stored and sent like others, but only its two parties get it. */
export function createChat(deps: ChatDeps) {
  const { db, storage, now } = deps;
  const { publish, post, repeated } = createPosting(deps);
  return {
    /**
     * Posts a message, with a file or without. A repeated call with the same id has no further effect.
     *
     * @throws AppError CHAT_OFF, CHAT_HOSTS_ONLY, REPLY_UNKNOWN, TERMINAL_ABSENT, E2EE_KEY_REQUIRED, and what
     * keepFile() throws
     */
    async say(
      { caller }: TerminalContext,
      meetId: string,
      body: ChatBody,
      [received]: readonly ReceivedFile[] = [],
    ): Promise<ChatMessage> {
      if (body.text === '' && !received) throw new AppError('INVALID_INPUT', {}, { text: 'empty' });
      return db.tenant(caller.tenantId, async (tx) => {
        const authorization = await insideTerminal(tx, caller, meetId, 'chat');
        const earlier = await findMessage(tx, authorization.conference.id, body.id);
        return earlier
          ? repeated(tx, earlier, authorization.me.termId, received)
          : post(tx, authorization, body, received);
      });
    },

    /**
     * Deletes what a message says and its file: of an own one, or for those with the right one that all can see.
     *
     * @throws AppError NOT_FOUND, FORBIDDEN
     */
    async deleteMessage(context: TerminalContext, meetId: string, id: string): Promise<void> {
      const { caller } = context;
      await db.tenant(caller.tenantId, async (tx) => {
        const { conference, me, parts } = await insideTerminal(tx, caller, meetId, 'see');
        const message = await findMessage(tx, conference.id, id);
        if (!message || !isVisibleTo(message, [me.termId])) throw new AppError('NOT_FOUND');
        const mayDelete = message.toTermId === null && mayDo(parts, 'deleteMessages');
        if (message.termId !== me.termId && !mayDelete) throw new AppError('FORBIDDEN');
        if (message.deletedAt !== null) return;
        const file = message.fileId === null ? undefined : await findFile(tx, message.fileId);
        await emptyMessage(tx, conference.id, id, now());
        if (file) await removeFile(tx, storage, file.id);
        await publish(tx, conference, message, { type: 'chatDeleted', id });
        const meeting = await findMeeting(tx, conference.meetingId);
        await recordAudit(tx, context, now(), {
          target: { kind: 'conference', id: conference.id, name: meeting?.subject ?? '' },
          after: { names: [message.name], ...(file && { files: [file.name] }) },
        });
      });
    },
  };
}

export type Chat = ReturnType<typeof createChat>;

/** @throws AppError E2EE_KEY_REQUIRED for a readable text in an encrypted conference, INVALID_INPUT for the opposite */
function checkText({ control }: ConferenceRow, text: string): void {
  const isEncrypted = control.e2ee === true;
  if (isEncryptedText(text) === isEncrypted) return;
  throw isEncrypted ? new AppError('E2EE_KEY_REQUIRED') : new AppError('INVALID_INPUT', {}, { text });
}
