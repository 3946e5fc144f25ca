import { allowancesOf, hasCapability, type ConferenceControl, type ConferencePart } from '@rmeet/conference';
import { CHAT_FILE_LIMITS, MEGABYTE, type ChatFileRules, type FileKind } from '@rmeet/contract';
import { AppError, type FileRules } from '../../../platform/http/index.ts';
import type { TenantRow } from '../../accounts/tenants/tables.ts';
import { mayDo } from '../policy.ts';

/**
 * The rules of files in the chat of a meeting. What makes files impossible in a meeting is decided here, and nowhere
 * else; pages have a sentence for each barrier (`chatFiles.barrier` in their texts).
 */
export function chatFileRulesOf(
  tenant: Pick<TenantRow, 'chatFiles' | 'chatFileMegabytes' | 'chatFileKinds'>,
  control: ConferenceControl,
): ChatFileRules {
  return {
    barrier: !hasCapability(control, 'chatFiles') ? 'encryption' : tenant.chatFiles ? null : 'organisation',
    megabytes: tenant.chatFileMegabytes,
    kinds: tenant.chatFileKinds,
  };
}

/** Checks that a sender may send files now. @throws AppError CHAT_FILES_BARRED, CHAT_FILES_OFF */
export function checkFilesAllowed(
  { barrier }: ChatFileRules,
  control: ConferenceControl,
  parts: readonly ConferencePart[],
): void {
  if (barrier !== null) throw new AppError('CHAT_FILES_BARRED');
  if (!allowancesOf(control).chatFiles && !mayDo(parts, 'sendFiles')) throw new AppError('CHAT_FILES_OFF');
}

/** Whether the chat of a conference has space for a file. @throws AppError CHAT_FILES_FULL */
export function checkSpace(used: { files: number; bytes: number }, size: number): void {
  const { perConference: limit, megabytesPerConference: megabytes } = CHAT_FILE_LIMITS;
  if (used.files >= limit || used.bytes + size > megabytes * MEGABYTE)
    throw new AppError('CHAT_FILES_FULL', { limit, megabytes });
}

/** @throws AppError FILE_KIND_REFUSED */
export function checkKind({ kinds }: ChatFileRules, kind: FileKind, name: string): void {
  if (!kinds.includes(kind)) throw new AppError('FILE_KIND_REFUSED', { name });
}

/** How a file is read under these rules: one per message. */
export function readingOf(rules: ChatFileRules): FileRules {
  return {
    files: 1,
    bytes: rules.megabytes * MEGABYTE,
    checkKind: (kind, name) => checkKind(rules, kind, name),
  };
}
