import { z } from 'zod';
import { API_BASE } from '../constants.ts';
import { route } from '../http/route.ts';

/** When release notes are shown again: not at all, after a day, after a week, or at the next sign-in. */
export const UPGRADE_FREQUENCIES = ['NEVER', 'DAILY', 'WEEKLY', 'EACH'] as const;
export type UpgradeFrequency = (typeof UPGRADE_FREQUENCIES)[number];

/** What is new in one version of the product. */
export const releaseNote = z.object({
  version: z.string(),
  /** Day of the release, `YYYY-MM-DD`. */
  date: z.iso.date(),
  /** One sentence per change, in both languages, in the same order. */
  changes: z.object({ zh: z.array(z.string()), en: z.array(z.string()) }),
});
export type ReleaseNote = z.infer<typeof releaseNote>;

export const memoAnswer = z.object({
  /** The version that runs. */
  version: z.string(),
  /** The newest first. */
  records: z.array(releaseNote),
  /** Whether to show them unasked: they are new to the account, which is older than the installed version. */
  remind: z.boolean(),
  /** What the caller chose last; null if nothing yet. */
  upgradeFrequency: z.enum(UPGRADE_FREQUENCIES).nullable(),
});
export type MemoAnswer = z.infer<typeof memoAnswer>;

/** Release notes ("upgrade notes" in the product document). */
export const memo = {
  read: route({
    method: 'GET',
    path: `${API_BASE}/Memo/`,
    aliases: [`${API_BASE}/Memo`],
    callers: ['user', 'operator'],
    summary: 'The release notes that the caller has not put off; with `all`, all of them.',
    input: { query: z.object({ all: z.stringbool().default(false) }) },
    data: memoAnswer,
    errors: [],
    example: {
      query: {},
      data: {
        version: '0.1.0',
        records: [{ version: '0.1.0', date: '2026-11-27', changes: { zh: ['首个版本'], en: ['The first version'] } }],
        remind: true,
        upgradeFrequency: null,
      },
    },
  }),
  saveRemindMemo: route({
    method: 'PUT',
    path: `${API_BASE}/Memo/saveRemindMemo`,
    callers: ['user', 'operator'],
    summary: 'Puts the current release notes off: for good, for a day, for a week, or until the next sign-in.',
    input: { query: z.object({ upgradeFrequency: z.enum(UPGRADE_FREQUENCIES) }) },
    data: z.null(),
    errors: [],
    example: { query: { upgradeFrequency: 'WEEKLY' }, data: null },
  }),
};
