import type { ChatBody, ChatFileRules, ReceivedFile } from '@rmeet/contract';
import type { Db, TenantTx } from '../../../platform/db/index.ts';
import {
  AppError,
  type Context,
  type FileAnswer,
  type FileRules,
  type TerminalCaller,
} from '../../../platform/http/index.ts';
import type { Storage } from '../../../platform/storage/index.ts';
import { findTenant } from '../../accounts/tenants/index.ts';
import { addFile, answerWithFile, findFile, usageOfFiles, type FileSubject } from '../../files/index.ts';
import type { StoredFileRow } from '../../files/tables.ts';
import { insideTerminal, type Authorization } from '../control/index.ts';
import { mayDo } from '../policy.ts';
import { findMessageOfFile } from '../repo.ts';
import type { ConferenceRow, TerminalRow } from '../tables.ts';
import { chatFileRulesOf, checkFilesAllowed, checkKind, checkSpace, readingOf } from './file-rules.ts';
import { checkAudience, isVisibleTo, ownTerminals } from './parties.ts';

type TerminalContext = Context & { caller: TerminalCaller };
type Sender = Pick<Authorization, 'conference' | 'parts'> & { me: TerminalRow };

const subjectOf = ({ id }: ConferenceRow): FileSubject => ({ purpose: 'chat', subjectId: id });

/** The rules for a sender's file. @throws AppError CHAT_FILES_BARRED, CHAT_FILES_OFF, CHAT_FILES_FULL */
async function rulesFor(
  tx: TenantTx,
  { conference, parts }: Pick<Sender, 'conference' | 'parts'>,
  size: number,
): Promise<ChatFileRules> {
  const tenant = await findTenant(tx, tx.tenantId);
  if (!tenant) throw new AppError('NOT_FOUND');
  const rules = chatFileRulesOf(tenant, conference.control);
  checkFilesAllowed(rules, conference.control, parts);
  checkSpace(await usageOfFiles(tx, subjectOf(conference)), size);
  return rules;
}

/**
 * Stores the row of a file that came with a message, if the rules still allow it.
 *
 * @throws AppError FILE_EMPTY, FILE_KIND_REFUSED, and what rulesFor() throws
 */
export async function keepFile(
  tx: TenantTx,
  sender: Sender,
  received: ReceivedFile,
  createdAt: Date,
): Promise<StoredFileRow> {
  if (received.size === 0) throw new AppError('FILE_EMPTY', { name: received.name });
  checkKind(await rulesFor(tx, sender, received.size), received.kind, received.name);
  return addFile(tx, received, { ...subjectOf(sender.conference), ownerId: sender.me.accountId, createdAt });
}

/** Files in the chat: which are let in, and who gets them. */
export function createChatFiles({ db, storage }: { db: Db; storage: Storage }) {
  return {
    /** Decides before a file is read, so that nothing is stored for those who may not send it. */
    async gate({ caller }: TerminalContext, meetId: string, { to }: ChatBody): Promise<FileRules> {
      return db.tenant(caller.tenantId, async (tx) => {
        const sender = await insideTerminal(tx, caller, meetId, 'chat', false);
        checkAudience(sender.conference, sender.parts, to);
        return readingOf(await rulesFor(tx, sender, 0));
      });
    },

    /** A file, for a terminal inside that sees its message. @throws AppError NOT_FOUND, TERMINAL_GONE */
    async download(
      { caller }: TerminalContext,
      { meetId, id }: { meetId: string; id: string },
      { preview }: { preview: boolean },
    ): Promise<FileAnswer> {
      const file = await db.tenant(caller.tenantId, async (tx) => {
        const { conference, me, parts } = await insideTerminal(tx, caller, meetId, 'see', false);
        const message = await findMessageOfFile(tx, conference.id, id);
        const isSinceEntry =
          message !== undefined &&
          (mayDo(parts, 'readBack') || (me.admittedAt !== null && message.sentAt >= me.admittedAt));
        if (!isSinceEntry || !isVisibleTo(message, await ownTerminals(tx, me))) throw new AppError('NOT_FOUND');
        return findFile(tx, id);
      });
      if (!file) throw new AppError('NOT_FOUND');
      return answerWithFile(storage, file, { preview });
    },
  };
}

export type ChatFiles = ReturnType<typeof createChatFiles>;
