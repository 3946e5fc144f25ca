import { isDeepStrictEqual } from 'node:util';
import { FILE_KINDS, TOTAL_COUNT_LIMIT, type contract, type Data, type Input, type Tenant } from '@rmeet/contract';
import { isUniqueViolation, newId, type Db, type TenantTx } from '../../../platform/db/index.ts';
import { AppError, FileAnswer, type AccountCaller, type Context } from '../../../platform/http/index.ts';
import { changed, recordAudit } from '../../audit/index.ts';
import { readLogo } from './logo.ts';
import type { TenantAccounts, TenantConferences, TenantSessions } from './ports.ts';
import { presentTenant } from './present.ts';
import {
  accountsSignedIn,
  findCustomer,
  findLogo,
  findOptions,
  insertTenant,
  listTenants,
  setLogo,
  setTenantEnabled,
  updateTenant,
  usageOf,
  type TenantValues,
} from './repo.ts';
import type { TenantRow } from './tables.ts';

type AccountContext = Context<AccountCaller>;
type CreateBody = Input<typeof contract.tenants.create>['body'];
type UpdateBody = Input<typeof contract.tenants.update>['body'];
type OwnBody = Input<typeof contract.tenants.updateOwn>['body'];

/** Sessions ended in one transaction when a tenant is disabled. */
const END_BATCH = 500;
/** Longer than the password rules of a new tenant require. */
const FIRST_PASSWORD_LENGTH = 12;
const YEAR_SECONDS = 365 * 24 * 60 * 60;

const AUDITED = [
  'name',
  'maxUsers',
  'maxTerminals',
  'maxRecordingBytes',
  'maxMeetingFileBytes',
  'maxMeetingMinutes',
  'deniedFeatures',
  'colour',
  'logoVersion',
  'welcomeZh',
  'welcomeEn',
  'meetingAdminName',
  'meetingAdminPhone',
  'serviceDeskName',
  'serviceDeskPhone',
  'passwordMinLength',
  'passwordMinClasses',
  'passwordHistory',
  'passwordMaxAgeDays',
  'recordings',
  'recordingStartedBy',
  'recordingWatchedBy',
  'recordingTracks',
  'recordingDownload',
  'recordingWatermark',
  'recordingKeptDays',
  'codec',
  'signInModes',
  'secondFactor',
  'chatFiles',
  'chatFileMegabytes',
  'chatFileKinds',
  'auditMonths',
] as const satisfies readonly (keyof TenantRow)[];

/** Changes that open the door to others; the caller must prove again who it is. */
const PROVEN = ['signInModes', 'secondFactor'] as const satisfies readonly (keyof TenantRow)[];

export interface TenantDeps {
  db: Db;
  now: () => Date;
  accounts: TenantAccounts;
  sessions: TenantSessions;
  conferences: TenantConferences;
}

function platformValues({ name, quotas, deniedFeatures }: Pick<CreateBody, 'name' | 'quotas' | 'deniedFeatures'>) {
  return {
    name,
    maxUsers: quotas.users,
    maxTerminals: quotas.terminals,
    maxRecordingBytes: quotas.recordingBytes,
    maxMeetingFileBytes: quotas.meetingFileBytes,
    maxMeetingMinutes: quotas.meetingMinutes,
    deniedFeatures: [...new Set<string>(deniedFeatures)].toSorted(),
  };
}

function ownValues(body: OwnBody) {
  const { colour, welcome, meetingAdmin, serviceDesk, passwordRules, signIn, chatFiles, recording, auditMonths } = body;
  const { secondFactor } = body;
  return {
    colour,
    ...(welcome === undefined ? {} : { welcomeZh: welcome.zh, welcomeEn: welcome.en }),
    auditMonths,
    meetingAdminName: meetingAdmin.name,
    meetingAdminPhone: meetingAdmin.phoneNumber,
    serviceDeskName: serviceDesk.name,
    serviceDeskPhone: serviceDesk.phoneNumber,
    passwordMinLength: passwordRules.minLength,
    passwordMinClasses: passwordRules.minClasses,
    passwordHistory: passwordRules.history,
    passwordMaxAgeDays: passwordRules.maxAgeDays,
    ...(signIn && { signInModes: signIn.modes }),
    ...(secondFactor && { secondFactor }),
    ...(chatFiles && {
      chatFiles: chatFiles.enabled,
      chatFileMegabytes: chatFiles.megabytes,
      chatFileKinds: FILE_KINDS.filter((kind) => chatFiles.kinds.includes(kind)),
    }),
    ...(recording && {
      recordings: recording.enabled,
      recordingStartedBy: recording.startedBy,
      recordingWatchedBy: recording.watchedBy,
      recordingTracks: recording.tracks,
      recordingDownload: recording.download,
      recordingWatermark: recording.watermark,
      recordingKeptDays: recording.keptDays,
      codec: recording.codec,
    }),
  };
}

const targetOf = ({ tenantId, name }: TenantRow) => ({ kind: 'tenant', id: tenantId, name });

async function presentOne(tx: TenantTx, row: TenantRow): Promise<Tenant> {
  const usage = await usageOf(tx, [row.tenantId]);
  return presentTenant(row, usage.get(row.tenantId) ?? { users: 0, terminals: 0 });
}

/** Reads tenants. */
function createTenantReader({ db }: TenantDeps) {
  /** @throws AppError NOT_FOUND */
  async function find(id: string): Promise<Tenant> {
    return db.tenant(id, async (tx) => {
      const row = await findCustomer(tx, id);
      if (!row) throw new AppError('NOT_FOUND');
      return presentOne(tx, row);
    });
  }

  return {
    find,

    async list(query: Input<typeof contract.tenants.list>['query']): Promise<Data<typeof contract.tenants.list>> {
      return db.platform(async (tx) => {
        const { rows, total } = await listTenants(tx, query);
        const usage = await usageOf(
          tx,
          rows.map((row) => row.tenantId),
        );
        const records = rows.map((row) => presentTenant(row, usage.get(row.tenantId) ?? { users: 0, terminals: 0 }));
        const page = { records, total: Math.min(total, TOTAL_COUNT_LIMIT), current: query.current, size: query.size };
        return total > TOTAL_COUNT_LIMIT ? { ...page, totalIsLowerBound: true } : page;
      });
    },

    async options(
      query: Input<typeof contract.tenants.options>['query'],
    ): Promise<Data<typeof contract.tenants.options>> {
      const rows = await db.platform((tx) => findOptions(tx, query));
      return rows.map(({ tenantId, name, enabled }) => ({ id: tenantId, name, enabled }));
    },

    /**
     * The logo as a picture; browsers cache it as long as its address names the current version.
     *
     * @throws AppError NOT_FOUND for a tenant that has none or does not exist
     */
    async logo(id: string, version: string | undefined): Promise<FileAnswer> {
      const [row, logo] = await db.tenant(id, async (tx) => [await findCustomer(tx, id), await findLogo(tx)] as const);
      if (!row || !logo) throw new AppError('NOT_FOUND');
      const { type, data } = logo;
      const options = {
        name: `logo.${type.slice('image/'.length)}`,
        type,
        body: Buffer.from(data, 'base64'),
        inline: true,
      };
      return new FileAnswer(version === String(row.logoVersion) ? { ...options, cacheSeconds: YEAR_SECONDS } : options);
    },
  };
}

/** Creates tenants. */
function createTenantCreation({ db, now, accounts }: TenantDeps) {
  return {
    /** Creates a tenant and its first administrator, who must change the password at the first sign-in. */
    async create(
      context: AccountContext,
      { admin, ...body }: CreateBody,
    ): Promise<Data<typeof contract.tenants.create>> {
      const tenantId = newId();
      const at = now();
      const password = accounts.makePassword({ minLength: FIRST_PASSWORD_LENGTH });
      const passwordHash = await accounts.hashPassword(password);
      return db.platform(async (platform) => {
        const row = await insertTenant(platform, { tenantId, createdAt: at, ...platformValues(body) });
        if (!row) throw new AppError('TENANT_NAME_TAKEN', { name: body.name });
        const tx = platform.asTenant(tenantId);
        const { id } = await accounts.addAccount(
          tx,
          {
            kind: 'user',
            ...admin,
            phone: '',
            email: '',
            department: '',
            locale: context.locale,
            isTenantAdmin: true,
            isSuperAdmin: false,
            passwordHash,
            passwordDue: true,
          },
          at,
        );
        await accounts.grantRoles(tx, id, 'user', 'default');
        await recordAudit(tx, context, at, {
          target: targetOf(row),
          after: { ...platformValues(body), admin: admin.account, password: '***' },
        });
        return { tenant: await presentOne(tx, row), password };
      });
    },
  };
}

/** Changes tenants, by the platform's staff or by their own administrators. */
function createTenantEditing({ db, now, sessions, conferences }: TenantDeps) {
  /**
   * Changes the transaction's tenant, with its audit row; `logo` null removes the logo, undefined keeps it.
   * `isProven`: the caller has proved lately who it is, for changes that need it.
   */
  async function change(
    tx: TenantTx,
    context: AccountContext,
    version: number,
    values: TenantValues,
    logo: string | null | undefined,
    isProven: boolean,
  ): Promise<TenantRow> {
    const before = await findCustomer(tx, tx.tenantId);
    if (!before) throw new AppError('NOT_FOUND');
    const picture = typeof logo === 'string' ? readLogo(logo) : logo;
    // Versions are never reused, so no browser shows an outdated logo from its cache.
    const logoValues = picture === undefined ? {} : { logoVersion: picture === null ? 0 : version + 1 };
    const after = await updateTenant(tx, version, { ...values, ...logoValues });
    if (!after) throw new AppError('CHANGED_MEANWHILE');
    const isDangerous = PROVEN.some((field) => !isDeepStrictEqual(before[field], after[field]));
    if (isDangerous && !isProven) throw new AppError('STEP_UP_REQUIRED');
    if (picture !== undefined) await setLogo(tx, picture);
    const difference = changed(before, after, AUDITED);
    await recordAudit(tx, context, now(), { target: targetOf(after), ...difference });
    if ('deniedFeatures' in difference.after) await sessions.accessChanged(tx, 'all');
    if ('maxMeetingMinutes' in difference.after) tx.afterCommit(() => conferences.limitChanged(tx.tenantId));
    return after;
  }

  /** In the caller's own tenant, where its session is: operators change others. */
  const provenOf = ({ caller }: AccountContext): Promise<boolean> =>
    db.tenant(caller.tenantId, (tx) => sessions.isProven(tx, caller.sessionId));

  return {
    async update(context: AccountContext, { id, version, logo, ...body }: UpdateBody): Promise<Tenant> {
      const isProven = await provenOf(context);
      try {
        return await db.tenant(id, async (tx) =>
          presentOne(
            tx,
            await change(
              tx,
              context,
              version,
              { ...platformValues(body), ...ownValues({ ...body, version }) },
              logo,
              isProven,
            ),
          ),
        );
      } catch (error) {
        if (isUniqueViolation(error, 'tenant_name_key')) throw new AppError('TENANT_NAME_TAKEN', { name: body.name });
        throw error;
      }
    },

    async updateOwn(context: AccountContext, { version, logo, ...body }: OwnBody): Promise<Tenant> {
      const isProven = await provenOf(context);
      return db.tenant(context.caller.tenantId, async (tx) =>
        presentOne(tx, await change(tx, context, version, ownValues({ ...body, version }), logo, isProven)),
      );
    },
  };
}

/** Enables and disables tenants. */
function createTenantSwitch({ db, now, sessions, conferences }: TenantDeps, find: (id: string) => Promise<Tenant>) {
  /**
   * Ends sessions and conferences of a disabled tenant. New ones are refused: sign-in and join check the tenant.
   */
  async function clearOut(tenantId: string): Promise<void> {
    await conferences.endAll(tenantId);
    for (;;) {
      const ended = await db.tenant(tenantId, async (tx) =>
        sessions.endSessions(tx, await accountsSignedIn(tx, END_BATCH), 'disabled'),
      );
      if (ended === 0) return;
    }
  }

  return {
    /** A repeated call ends what a failed attempt may have left. */
    async setEnabled(context: AccountContext, id: string, enabled: boolean): Promise<Tenant> {
      await db.tenant(id, async (tx) => {
        if (!(await findCustomer(tx, id))) throw new AppError('NOT_FOUND');
        const row = await setTenantEnabled(tx, enabled);
        if (row)
          await recordAudit(tx, context, now(), {
            target: targetOf(row),
            before: { enabled: !enabled },
            after: { enabled },
          });
      });
      if (!enabled) await clearOut(id);
      return find(id);
    },
  };
}

/** Tenants, for the platform's staff and their own administrators. */
export function createTenantService(deps: TenantDeps) {
  const reader = createTenantReader(deps);
  return {
    ...reader,
    ...createTenantCreation(deps),
    ...createTenantEditing(deps),
    ...createTenantSwitch(deps, (id) => reader.find(id)),
  };
}

export type TenantService = ReturnType<typeof createTenantService>;
