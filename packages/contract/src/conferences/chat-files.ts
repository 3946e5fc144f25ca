import { z } from 'zod';
import { FILE_KINDS, type FileKind } from '../platform/files.ts';

export const MEGABYTE = 1024 * 1024;

/** Limits of files in the chat. The largest size and the kinds are set by each organisation. */
export const CHAT_FILE_LIMITS = {
  /** Range of the largest size, and its default; MiB. */
  megabytes: { min: 1, max: 200, initial: 50 },
  /** Files per conference, and MiB of all of them together. */
  perConference: 500,
  megabytesPerConference: 2_048,
} as const;

/** Programs are not among them: people outside of the organisation can send files, too. */
export const INITIAL_CHAT_FILE_KINDS: readonly FileKind[] = FILE_KINDS.filter((kind) => kind !== 'program');

/** What an organisation allows in the chats of its meetings. */
export const chatFileSettings = z.object({
  enabled: z.boolean(),
  megabytes: z.number().int().min(CHAT_FILE_LIMITS.megabytes.min).max(CHAT_FILE_LIMITS.megabytes.max),
  kinds: z.array(z.enum(FILE_KINDS)).min(1).max(FILE_KINDS.length),
});
export type ChatFileSettings = z.infer<typeof chatFileSettings>;

/** Why no one can send files in a meeting. `organisation`: its settings do not allow it. */
export const CHAT_FILE_BARRIERS = ['encryption', 'organisation'] as const;

/** The rules of files in the chat of a conference; apart from the chair's switch, which is part of the control. */
export const chatFileRules = z.object({
  /** Null if files can be sent. */
  barrier: z.enum(CHAT_FILE_BARRIERS).nullable(),
  megabytes: z.number().int(),
  kinds: z.array(z.enum(FILE_KINDS)),
});
export type ChatFileRules = z.infer<typeof chatFileRules>;
