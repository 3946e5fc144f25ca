import type { AssistantSettings, contract, Input } from '@rmeet/contract';
import { eq } from 'drizzle-orm';
import { allOf } from '../../platform/db/conditions.ts';
import type { Db, TenantTx } from '../../platform/db/index.ts';
import { AppError, type Context, type UserCaller } from '../../platform/http/index.ts';
import type { Mail } from '../../platform/mail/index.ts';
import type { SecretBox } from '../../platform/secrets/index.ts';
import { changed, recordAudit } from '../audit/index.ts';
import { findTenant } from '../accounts/tenants/index.ts';
import type { AssistantHosts } from './hosts.ts';
import { assistantSetting, type AssistantSettingRow } from './tables.ts';

type UserContext = Context<UserCaller>;
type Body = Input<typeof contract.assistant.saveSettings>['body'];
export type Stored = Omit<AssistantSettingRow, 'tenantId'>;

export interface SettingsDeps {
  db: Db;
  secrets: SecretBox;
  now: () => Date;
  mail: Pick<Mail, 'isConfigured'>;
  hosts: AssistantHosts;
}

const ORIGINAL: Stored = {
  answers: 'manual',
  deskMail: '',
  modelUrl: '',
  modelName: '',
  modelKeySealed: null,
  pageUrl: '',
  pageSecretSealed: null,
  version: 0,
};
const AUDITED = ['answers', 'deskMail', 'modelUrl', 'modelName', 'hasModelKey', 'pageUrl', 'hasPageSecret'] as const;
const SHORTEST_SECRET = 16;

export const keyBinding = (tenantId: string): string => `assistant-model:${tenantId}`;
export const secretBinding = (tenantId: string): string => `assistant-page:${tenantId}`;

/** The settings of the transaction's tenant. */
export async function findSettings(tx: TenantTx): Promise<Stored> {
  return (await tx.findOne(assistantSetting)) ?? ORIGINAL;
}

const sameServer = (a: string, b: string): boolean => a !== '' && b !== '' && new URL(a).origin === new URL(b).origin;

/** The target of rows in the audit log: the tenant. */
export async function tenantTarget(tx: TenantTx) {
  return { kind: 'tenant', id: tx.tenantId, name: (await findTenant(tx, tx.tenantId))?.name ?? '' };
}

/** @throws AppError ASSISTANT_ADDRESS_REFUSED, ASSISTANT_MODEL_MISSING, ASSISTANT_PAGE_MISSING */
function check(hosts: AssistantHosts, body: Body, hasPageSecret: boolean): void {
  const isRefused =
    (body.modelUrl !== '' && !hosts.allowsModel(body.modelUrl)) ||
    (body.pageUrl !== '' && !hosts.allowsPage(body.pageUrl));
  if (isRefused) throw new AppError('ASSISTANT_ADDRESS_REFUSED');
  if (body.answers === 'model' && (body.modelUrl === '' || body.modelName === ''))
    throw new AppError('ASSISTANT_MODEL_MISSING');
  const isShort = body.pageSecret !== undefined && body.pageSecret.length < SHORTEST_SECRET;
  if (body.answers === 'page' && (body.pageUrl === '' || !hasPageSecret || isShort))
    throw new AppError('ASSISTANT_PAGE_MISSING');
}

/** The columns to store. A sealed text is never kept for another server than the one it was entered for. */
function valuesOf(secrets: SecretBox, tenantId: string, before: Stored, body: Body): Omit<Stored, 'version'> {
  const sealed = (given: string | undefined, kept: string | null, binding: string): string | null => {
    if (given === undefined) return kept;
    return given === '' ? null : secrets.seal(given, binding);
  };
  const { answers, deskMail, modelName, pageUrl } = body;
  const keptKey = sameServer(before.modelUrl, body.modelUrl) ? before.modelKeySealed : null;
  const keptSecret = sameServer(before.pageUrl, pageUrl) ? before.pageSecretSealed : null;
  return {
    answers,
    deskMail,
    modelUrl: body.modelUrl.replace(/\/+$/, ''),
    modelName,
    modelKeySealed: sealed(body.modelKey, keptKey, keyBinding(tenantId)),
    pageUrl,
    pageSecretSealed: sealed(body.pageSecret, keptSecret, secretBinding(tenantId)),
  };
}

/** The settings of the assistant, for administrators of tenants. */
export function createSettings({ db, secrets, now, mail, hosts }: SettingsDeps) {
  const present = (row: Stored): AssistantSettings => ({
    answers: row.answers,
    deskMail: row.deskMail,
    modelUrl: row.modelUrl,
    modelName: row.modelName,
    hasModelKey: row.modelKeySealed !== null,
    pageUrl: row.pageUrl,
    hasPageSecret: row.pageSecretSealed !== null,
    hasMail: mail.isConfigured,
    version: row.version,
  });

  return {
    show: ({ caller }: UserContext): Promise<AssistantSettings> =>
      db.tenant(caller.tenantId, async (tx) => present(await findSettings(tx))),

    /**
     * @throws AppError CHANGED_MEANWHILE, ASSISTANT_ADDRESS_REFUSED, ASSISTANT_MODEL_MISSING, ASSISTANT_PAGE_MISSING
     */
    save: (context: UserContext, body: Body): Promise<AssistantSettings> =>
      db.tenant(context.caller.tenantId, async (tx) => {
        const before = await findSettings(tx);
        const { version } = body;
        const values = valuesOf(secrets, tx.tenantId, before, body);
        check(hosts, body, values.pageSecretSealed !== null);
        const next = { ...values, version: version + 1 };
        const isCurrent = allOf(eq(assistantSetting.tenantId, tx.tenantId), eq(assistantSetting.version, version));
        const [row] =
          version === 0
            ? await tx.insert(assistantSetting, next, 'nothing')
            : await tx.update(assistantSetting, next, isCurrent);
        if (!row) throw new AppError('CHANGED_MEANWHILE');
        const [shown, earlier] = [present(row), present(before)];
        await recordAudit(tx, context, now(), {
          target: await tenantTarget(tx),
          ...changed({ ...earlier }, { ...shown }, AUDITED),
        });
        return shown;
      }),
  };
}
