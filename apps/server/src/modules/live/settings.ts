import { eq } from 'drizzle-orm';
import { DEFAULT_BROADCAST_SETTING, type BroadcastSetting, type broadcastSettingBody } from '@rmeet/contract';
import type { z } from 'zod';
import type { TenantTx } from '../../platform/db/index.ts';
import { AppError } from '../../platform/http/index.ts';
import { findAccounts, hashPassword } from '../accounts/users/index.ts';
import { isOutside } from './source.ts';
import { broadcast, broadcastAllowed, type BroadcastRow } from './tables.ts';

export type SettingBody = z.infer<typeof broadcastSettingBody>;

/** The settings of a request, with its password hashed: that takes too long for a transaction. */
export interface Chosen extends Omit<SettingBody, 'password'> {
  passwordHash?: string;
}

export async function chosenOf({ password, ...body }: SettingBody): Promise<Chosen> {
  return { ...body, ...(password === undefined ? {} : { passwordHash: await hashPassword(password) }) };
}

/** The columns of the settings, without password. */
export const SETTING_COLUMNS = [
  'access',
  'chat',
  'slowSeconds',
  'questions',
  'allowsLikes',
  'watermark',
  'announcement',
  'replay',
] as const satisfies readonly (keyof BroadcastRow)[];

type Columns = Pick<BroadcastRow, (typeof SETTING_COLUMNS)[number]>;

/** The settings of a broadcast as the contract shows them. */
export function settingOf(row: Columns): BroadcastSetting {
  const { access, chat, slowSeconds, questions, allowsLikes, watermark, announcement, replay } = row;
  return { access, chat, slowSeconds, questions, likes: allowsLikes, watermark, announcement, replay };
}

function columnsOf({ likes, ...setting }: BroadcastSetting): Columns {
  return { ...setting, allowsLikes: likes };
}

/** What a request sets in the row of a broadcast. @throws AppError BROADCAST_PASSWORD_REQUIRED */
export function changeOf(
  chosen: Chosen,
  before?: BroadcastRow,
): Columns & Pick<BroadcastRow, 'passwordHash' | 'passwordVersion'> {
  const { passwordHash } = chosen;
  const names = Object.keys(DEFAULT_BROADCAST_SETTING) as (keyof BroadcastSetting)[];
  const given = Object.fromEntries(names.flatMap((name) => (chosen[name] === undefined ? [] : [[name, chosen[name]]])));
  const columns = columnsOf({ ...(before ? settingOf(before) : DEFAULT_BROADCAST_SETTING), ...given });
  const known = passwordHash ?? before?.passwordHash ?? null;
  if (columns.access === 'password' && known === null) throw new AppError('BROADCAST_PASSWORD_REQUIRED');
  const passwordVersion = (before?.passwordVersion ?? 0) + (passwordHash === undefined ? 0 : 1);
  return { ...columns, passwordHash: known, passwordVersion };
}

/** Accounts of the organisation, each once. @throws AppError PARTICIPANT_UNKNOWN */
export async function checkPeople(tx: TenantTx, ids: readonly string[]): Promise<string[]> {
  const wanted = [...new Set(ids)];
  const known = wanted.length === 0 ? [] : await findAccounts(tx, wanted);
  if (known.length < wanted.length || known.some(({ kind }) => kind !== 'user'))
    throw new AppError('PARTICIPANT_UNKNOWN');
  return wanted;
}

/** Replaces the white list. */
export async function nameOnly(tx: TenantTx, broadcastId: string, accountIds: readonly string[]): Promise<void> {
  await tx.delete(broadcastAllowed, eq(broadcastAllowed.broadcastId, broadcastId));
  if (accountIds.length > 0)
    await tx.insert(
      broadcastAllowed,
      accountIds.map((accountId) => ({ broadcastId, accountId })),
    );
}

/** Stores settings of a broadcast that is locked. Returns the row afterwards. @throws AppError */
export async function storeChange(
  tx: TenantTx,
  before: BroadcastRow,
  chosen: Chosen,
): Promise<{ row: BroadcastRow; named: string[] | undefined }> {
  const changed = changeOf(chosen, before);
  const columns = { ...changed, replay: changed.replay && !isOutside(before) };
  const named = chosen.whiteList && (await checkPeople(tx, chosen.whiteList));
  const [row] = await tx.update(broadcast, { ...columns, version: before.version + 1 }, eq(broadcast.id, before.id));
  if (!row) throw new Error('A broadcast was lost while it was changed.');
  if (named) await nameOnly(tx, row.id, named);
  return { row, named };
}
