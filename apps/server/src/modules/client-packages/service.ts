import {
  compareVersions,
  LINK_ONLY_TYPES,
  packageNameOf,
  PLATFORM_TENANT_ID,
  TOTAL_COUNT_LIMIT,
  type ClientPackage,
  type contract,
  type Data,
  type Input,
  type OfferedPackage,
  type Rollout,
} from '@rmeet/contract';
import { isUniqueViolation, newId, type Db, type PlatformTx, type TenantTx } from '../../platform/db/index.ts';
import {
  AppError,
  type AccountCaller,
  type AnyoneCaller,
  type Context,
  type FileAnswer,
  type FileRules,
  type OperatorCaller,
} from '../../platform/http/index.ts';
import type { Storage } from '../../platform/storage/index.ts';
import { changed, recordAudit } from '../audit/index.ts';
import { addFile, answerWithFile, findFile, removeFile } from '../files/index.ts';
import { rulesOf } from './content.ts';
import { idInUrl, presentOffer, presentPackage } from './present.ts';
import {
  deletePackage,
  filesOf,
  findCandidates,
  findCurrent,
  findPackage,
  findPublished,
  findPublishedVersion,
  insertPackage,
  listPackages,
  ofPlatform,
  tenantNames,
  updatePackage,
} from './repo.ts';
import { columnsOf, isOffered } from './rollout.ts';
import type { ClientPackageRow } from './tables.ts';

type Calls = typeof contract.clientPackages;
type OperatorContext = Context<OperatorCaller>;
type NewPackage = Input<Calls['create']>;
type Described = Pick<NewPackage['body'], 'type' | 'version' | 'minimalVersion' | 'rollout'>;

const AUDITED = [
  'type',
  'version',
  'minimalVersion',
  'notes',
  'link',
  'rolloutKind',
  'rolloutPercent',
  'rolloutTenants',
  'withdrawnAt',
] as const satisfies readonly (keyof ClientPackageRow)[];
const VERSION_PARTS = 4;

const targetOf = ({ id, type, version }: Pick<ClientPackageRow, 'id' | 'type' | 'version'>) => ({
  kind: 'clientPackage',
  id,
  name: `${packageNameOf(type) ?? String(type)} ${version}`,
});

/** The numbers of a version, filled up with zeros. */
const partsOf = (version: string): number[] => {
  const parts = version.split('.').map(Number);
  return Array.from({ length: VERSION_PARTS }, (_, at) => parts[at] ?? 0);
};

/** @throws AppError PACKAGE_MINIMUM_ABOVE */
function checkMinimum(version: string, minimalVersion: string | null): void {
  if (minimalVersion !== null && compareVersions(minimalVersion, version) > 0)
    throw new AppError('PACKAGE_MINIMUM_ABOVE', { version });
}

/** @throws AppError ROLLOUT_TENANT_UNKNOWN */
async function checkRollout(tx: PlatformTx, rollout: Rollout): Promise<void> {
  if (rollout.kind !== 'tenants') return;
  const known = await tenantNames(tx, rollout.tenantIds);
  if (rollout.tenantIds.some((id) => !known.has(id))) throw new AppError('ROLLOUT_TENANT_UNKNOWN');
}

/** @throws AppError PACKAGE_VERSION_TAKEN on a unique violation */
async function orTaken<T>(version: string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (isUniqueViolation(error, 'client_package_version_key'))
      throw new AppError('PACKAGE_VERSION_TAKEN', { version });
    throw error;
  }
}

/** @throws AppError PACKAGE_VERSION_TAKEN, PACKAGE_MINIMUM_ABOVE, ROLLOUT_TENANT_UNKNOWN */
async function checkDescribed(tx: PlatformTx, { type, version, minimalVersion, rollout }: Described): Promise<void> {
  checkMinimum(version, minimalVersion);
  await checkRollout(tx, rollout);
  if (await findPublishedVersion(ofPlatform(tx), type, partsOf(version)))
    throw new AppError('PACKAGE_VERSION_TAKEN', { version });
}

interface ClientPackageDeps {
  db: Db;
  storage: Storage;
  now: () => Date;
}

async function present(tx: PlatformTx, rows: readonly ClientPackageRow[], origin: string): Promise<ClientPackage[]> {
  const own = ofPlatform(tx);
  const around = {
    origin,
    files: await filesOf(own, rows),
    names: await tenantNames(tx, [...new Set(rows.flatMap(({ rolloutTenants }) => rolloutTenants))]),
    current: await findCurrent(own),
  };
  return rows.map((row) => presentPackage(row, around));
}

async function presentOne(tx: PlatformTx, row: ClientPackageRow, { origin }: OperatorContext): Promise<ClientPackage> {
  const [one] = await present(tx, [row], origin);
  if (!one) throw new Error('A package was lost while it was presented.');
  return one;
}

/** @throws AppError NOT_FOUND */
async function packageOf(tx: TenantTx, id: string): Promise<ClientPackageRow> {
  const row = await findPackage(tx, id, true);
  if (!row) throw new AppError('NOT_FOUND');
  return row;
}

/** What people and installed clients get. */
function createOffers({ db, storage }: ClientPackageDeps) {
  return {
    /** The newest package of each type that the caller is offered, in the order of the types. */
    async list(
      { caller, origin }: Context<AnyoneCaller | AccountCaller>,
      { url }: Input<Calls['list']>['query'],
    ): Promise<OfferedPackage[]> {
      return db.tenant(PLATFORM_TENANT_ID, async (tx) => {
        const newest = new Map<number, ClientPackageRow>();
        for (const row of await findCandidates(tx))
          if (!newest.has(row.type) && isOffered(row, caller)) newest.set(row.type, row);
        const id = url === undefined ? undefined : idInUrl(url);
        const named =
          url === undefined ? undefined : await findPublished(tx, id === undefined ? { link: url } : { id });
        if (named) newest.set(named.type, named);
        const rows = [...newest.values()].toSorted((a, b) => a.type - b.type);
        const files = await filesOf(tx, rows);
        return rows.map((row) => presentOffer(row, files, origin));
      });
    },

    /** @throws AppError NOT_FOUND, PACKAGE_WITHDRAWN */
    async file(id: string): Promise<FileAnswer> {
      const file = await db.tenant(PLATFORM_TENANT_ID, async (tx) => {
        const row = await findPackage(tx, id);
        if (row?.fileId === null || !row) throw new AppError('NOT_FOUND');
        if (row.withdrawnAt) throw new AppError('PACKAGE_WITHDRAWN');
        return findFile(tx, row.fileId);
      });
      if (!file) throw new AppError('NOT_FOUND');
      return answerWithFile(storage, file);
    },
  };
}

/** Packages of clients: for those who manage them, and for all who install them. */
// oxlint-disable-next-line max-lines-per-function -- short methods of one resource
export function createClientPackages(deps: ClientPackageDeps) {
  const { db, storage, now } = deps;

  async function insert(
    tx: PlatformTx,
    context: OperatorContext,
    { body, files: [received] }: NewPackage,
  ): Promise<ClientPackageRow> {
    const own = ofPlatform(tx);
    const { type, version, minimalVersion, notes, rollout, link } = body;
    const [id, at] = [newId(), now()];
    const subject = { purpose: 'clientPackage' as const, subjectId: id };
    const file =
      received && (await addFile(own, received, { ...subject, ownerId: context.caller.userId, createdAt: at }));
    const stored = insertPackage(own, {
      id,
      type,
      version,
      versionParts: partsOf(version),
      minimalVersion,
      notes,
      link,
      fileId: file?.id ?? null,
      ...columnsOf(rollout),
      publishedBy: context.caller.name,
      publishedAt: at,
    });
    return orTaken(version, stored);
  }

  return {
    ...createOffers(deps),

    async query({ origin }: OperatorContext, query: Input<Calls['query']>['query']): Promise<Data<Calls['query']>> {
      return db.platform(async (tx) => {
        const { rows, total } = await listPackages(ofPlatform(tx), query);
        const page = {
          records: await present(tx, rows, origin),
          total: Math.min(total, TOTAL_COUNT_LIMIT),
          current: query.current,
          size: query.size,
        };
        return total > TOTAL_COUNT_LIMIT ? { ...page, totalIsLowerBound: true } : page;
      });
    },

    /** @throws AppError PACKAGE_VERSION_TAKEN, PACKAGE_MINIMUM_ABOVE, ROLLOUT_TENANT_UNKNOWN */
    check: (described: Described): Promise<void> => db.platform((tx) => checkDescribed(tx, described)),

    /**
     * Which file a new package may bring, checked before its first byte is read.
     *
     * @throws AppError PACKAGE_SOURCE_REQUIRED, PACKAGE_LINK_ONLY, and those of `check`
     */
    async gate({ body }: Pick<NewPackage, 'body'>): Promise<FileRules> {
      if (body.link !== null) throw new AppError('PACKAGE_SOURCE_REQUIRED');
      if (LINK_ONLY_TYPES.includes(body.type)) throw new AppError('PACKAGE_LINK_ONLY');
      await db.platform((tx) => checkDescribed(tx, body));
      return rulesOf(body.type);
    },

    /** @throws AppError PACKAGE_SOURCE_REQUIRED, PACKAGE_LINK_ONLY, and those of `check` */
    async create(context: OperatorContext, input: NewPackage): Promise<ClientPackage> {
      const { type, link } = input.body;
      if (input.files.length === 0 && link === null)
        throw new AppError(LINK_ONLY_TYPES.includes(type) ? 'PACKAGE_LINK_ONLY' : 'PACKAGE_SOURCE_REQUIRED');
      return db.platform(async (tx) => {
        await checkDescribed(tx, input.body);
        const row = await insert(tx, context, input);
        await recordAudit(ofPlatform(tx), context, now(), {
          target: targetOf(row),
          after: {
            ...Object.fromEntries(AUDITED.map((field) => [field, row[field]])),
            ...(input.files[0] && { file: input.files[0].name, sha256: input.files[0].sha256 }),
          },
        });
        return presentOne(tx, row, context);
      });
    },

    /** @throws AppError NOT_FOUND, CHANGED_MEANWHILE, PACKAGE_MINIMUM_ABOVE, ROLLOUT_TENANT_UNKNOWN */
    update: (
      context: OperatorContext,
      id: string,
      { edition, minimalVersion, notes, rollout }: Input<Calls['update']>['body'],
    ): Promise<ClientPackage> =>
      db.platform(async (tx) => {
        const before = await packageOf(ofPlatform(tx), id);
        if (before.edition !== edition) throw new AppError('CHANGED_MEANWHILE');
        checkMinimum(before.version, minimalVersion);
        await checkRollout(tx, rollout);
        const after = await updatePackage(ofPlatform(tx), before, { minimalVersion, notes, ...columnsOf(rollout) });
        await recordAudit(ofPlatform(tx), context, now(), {
          target: targetOf(after),
          ...changed(before, after, AUDITED),
        });
        return presentOne(tx, after, context);
      }),

    /** Withdraws a package or publishes it again. @throws AppError NOT_FOUND, PACKAGE_VERSION_TAKEN */
    withdraw: (context: OperatorContext, id: string, withdrawn: boolean): Promise<ClientPackage> =>
      db.platform(async (tx) => {
        const before = await packageOf(ofPlatform(tx), id);
        const at = now();
        const isSame = (before.withdrawnAt !== null) === withdrawn;
        const set = withdrawn ? { withdrawnAt: at } : { withdrawnAt: null, publishedAt: at };
        const after = isSame ? before : await orTaken(before.version, updatePackage(ofPlatform(tx), before, set));
        await recordAudit(ofPlatform(tx), context, at, {
          target: targetOf(after),
          before: { withdrawn: before.withdrawnAt !== null },
          after: { withdrawn },
        });
        return presentOne(tx, after, context);
      }),

    /** @throws AppError NOT_FOUND, PACKAGE_PUBLISHED */
    remove: (context: OperatorContext, id: string): Promise<void> =>
      db.platform(async (tx) => {
        const own = ofPlatform(tx);
        const row = await packageOf(own, id);
        if (row.withdrawnAt === null) throw new AppError('PACKAGE_PUBLISHED');
        await deletePackage(own, id);
        if (row.fileId !== null) await removeFile(own, storage, row.fileId);
        await recordAudit(own, context, now(), {
          target: targetOf(row),
          before: Object.fromEntries(AUDITED.map((field) => [field, row[field]])),
        });
      }),
  };
}

export type ClientPackages = ReturnType<typeof createClientPackages>;
