import {
  cleanAnnouncement,
  isLinkable,
  PLATFORM_TENANT_ID,
  TOTAL_COUNT_LIMIT,
  type Announcement,
  type contract,
  type Data,
  type Input,
} from '@rmeet/contract';
import { inArray } from 'drizzle-orm';
import type { Db, TenantTx } from '../../platform/db/index.ts';
import { AppError, type AccountCaller, type Context } from '../../platform/http/index.ts';
import { role } from '../accounts/roles/tables.ts';
import { userRoles } from '../accounts/roles/index.ts';
import { findAccounts } from '../accounts/users/index.ts';
import { changed, recordAudit } from '../audit/index.ts';
import { aimOf, audiencesOf, checkedAim, countAimed, countRead, storeAim, type Reader } from './audience.ts';
import type { News } from './news.ts';
import {
  deleteAnnouncement,
  findAnnouncement,
  insertAnnouncement,
  listAnnouncements,
  listReaders,
  lockAnnouncement,
  statusOf,
  updateAnnouncement,
  type AnnouncementValues,
} from './repo.ts';
import type { AnnouncementRow } from './tables.ts';

type AccountContext = Context<AccountCaller>;
type Body = Input<typeof contract.announcements.create>['body'];
type Versioned = { id: string; version: number };

interface Deps {
  db: Db;
  now: () => Date;
  news: News;
}

const FIELDS = ['title', 'body', 'url', 'important', 'from', 'until', 'aimedAt'] as const;
const targetOf = ({ id, title }: AnnouncementRow) => ({ kind: 'announcement', id, name: title });

/** An announcement for the audit log, with its audience by name. */
function audited({ title, body, url, important, from, until, aimedAt }: Announcement) {
  const { wholeTenant, departments, roles, accounts } = aimedAt;
  const names = [...departments, ...roles.map(({ name }) => name), ...accounts.map(({ name }) => name)];
  return { title, body, url, important, from, until, aimedAt: wholeTenant ? ['*'] : names };
}

/**
 * The values of a request, cleaned.
 *
 * @throws AppError ANNOUNCEMENT_EMPTY, ANNOUNCEMENT_LINK_REFUSED, ANNOUNCEMENT_TIMES
 */
function valuesOf({ title, body, url, important, aimedAt, from, until }: Body): AnnouncementValues {
  const text = cleanAnnouncement(body);
  const cleanTitle = cleanAnnouncement(title);
  if (text === '' || cleanTitle === '') throw new AppError('ANNOUNCEMENT_EMPTY');
  if (url !== '' && !isLinkable(url)) throw new AppError('ANNOUNCEMENT_LINK_REFUSED');
  const [startsAt, endsAt] = [from, until].map((time) => (time === null ? null : new Date(time))) as [
    Date | null,
    Date | null,
  ];
  if (startsAt && endsAt && endsAt <= startsAt) throw new AppError('ANNOUNCEMENT_TIMES');
  return { title: cleanTitle, body: text, url, important, wholeTenant: aimedAt.wholeTenant, startsAt, endsAt };
}

/** Shows announcements to those who manage them; `wide` reads the people they are aimed at. */
async function present(
  tx: TenantTx,
  wide: Reader,
  rows: readonly AnnouncementRow[],
  now: Date,
): Promise<Announcement[]> {
  const audiences = await audiencesOf(
    tx,
    rows.map(({ id }) => id),
  );
  const all = [...audiences.values()].flat();
  const roleIds = [...new Set(all.flatMap((row) => row.roleId ?? []))];
  const roles = new Map(
    (roleIds.length === 0 ? [] : await tx.find(role, inArray(role.id, roleIds))).map((row) => [row.id, row]),
  );
  const people = await findAccounts(tx, [...new Set(all.flatMap((row) => row.accountId ?? []))]);
  const names = new Map(people.map(({ id, name }) => [id, name]));
  let everyone: number | undefined;
  const shown: Announcement[] = [];
  for (const row of rows) {
    const aim = aimOf(row, audiences.get(row.id) ?? []);
    if (aim.wholeTenant) everyone ??= await countAimed(wide, aim);
    shown.push({
      ...describe(row, now),
      aimedAt: {
        wholeTenant: aim.wholeTenant,
        departments: [...aim.departments],
        roles: aim.roleIds.flatMap((id) => {
          const found = roles.get(id);
          return found ? [{ id, name: found.name, nameEn: found.nameEn }] : [];
        }),
        accounts: aim.userIds.map((userId) => ({ userId, name: names.get(userId) ?? '' })),
      },
      aimed: aim.wholeTenant ? (everyone ?? 0) : await countAimed(wide, aim),
      read: row.publishedAt === null ? 0 : await countRead(wide, row.id, aim),
    });
  }
  return shown;
}

function describe(row: AnnouncementRow, now: Date): Omit<Announcement, 'aimedAt' | 'aimed' | 'read'> {
  const { id, title, body, url, important, startsAt, endsAt, publishedAt, authorName, createdAt, version } = row;
  return {
    id,
    title,
    body,
    url,
    important,
    from: startsAt?.toISOString() ?? null,
    until: endsAt?.toISOString() ?? null,
    status: statusOf(row, now),
    publishedAt: publishedAt?.toISOString() ?? null,
    author: authorName,
    createdAt: createdAt.toISOString(),
    version,
  };
}

/**
 * Runs work on the caller's announcements: of an operator, the platform's own; then `wide` reads the people of all
 * tenants, else it is the same transaction.
 */
function within<T>(db: Db, { tenantId }: AccountCaller, work: (tx: TenantTx, wide: Reader) => Promise<T>): Promise<T> {
  if (tenantId !== PLATFORM_TENANT_ID) return db.tenant(tenantId, (tx) => work(tx, tx));
  return db.platform((platform) => work(platform.asTenant(PLATFORM_TENANT_ID), platform));
}

/** @throws AppError NOT_FOUND, CHANGED_MEANWHILE */
async function lockVersion(tx: TenantTx, { id, version }: Versioned): Promise<AnnouncementRow> {
  const row = await lockAnnouncement(tx, id);
  if (!row) throw new AppError('NOT_FOUND');
  if (row.version !== version) throw new AppError('CHANGED_MEANWHILE');
  return row;
}

async function stored(work: Promise<AnnouncementRow | undefined>): Promise<AnnouncementRow> {
  const row = await work;
  if (!row) throw new AppError('CHANGED_MEANWHILE');
  return row;
}

async function presentOne(tx: TenantTx, wide: Reader, row: AnnouncementRow, now: Date): Promise<Announcement> {
  const [shown] = await present(tx, wide, [row], now);
  if (!shown) throw new Error('An announcement disappeared while it was presented.');
  return shown;
}

/** Writes and changes announcements. */
function createWriting({ db, now, news }: Deps) {
  return {
    /**
     * @throws AppError ANNOUNCEMENT_EMPTY, ANNOUNCEMENT_LINK_REFUSED, ANNOUNCEMENT_TIMES,
     * ANNOUNCEMENT_AUDIENCE_UNKNOWN
     */
    create: (context: AccountContext, body: Body): Promise<Announcement> =>
      within(db, context.caller, async (tx, wide) => {
        const values = valuesOf(body);
        const aim = await checkedAim(tx, body.aimedAt);
        const row = await insertAnnouncement(tx, { ...values, authorName: context.caller.name, createdAt: now() });
        await storeAim(tx, row.id, aim);
        const made = await presentOne(tx, wide, row, now());
        await recordAudit(tx, context, now(), { target: targetOf(row), after: audited(made) });
        return made;
      }),

    /** @throws AppError NOT_FOUND, CHANGED_MEANWHILE, and those of `create` */
    update: (context: AccountContext, { id, version, ...body }: Body & Versioned): Promise<Announcement> =>
      within(db, context.caller, async (tx, wide) => {
        const found = await lockAnnouncement(tx, id);
        if (!found) throw new AppError('NOT_FOUND');
        const values = valuesOf(body);
        const aim = await checkedAim(tx, body.aimedAt);
        const before = await presentOne(tx, wide, found, now());
        const isPublished = found.state === 'published';
        const dueAt = isPublished ? await news.tell(tx, { ...found, ...values }) : null;
        const row = await stored(updateAnnouncement(tx, id, version, { ...values, dueAt }));
        await storeAim(tx, id, aim);
        const after = await presentOne(tx, wide, row, now());
        await recordAudit(tx, context, now(), {
          target: targetOf(row),
          ...changed(audited(before), audited(after), FIELDS),
        });
        return after;
      }),
  };
}

/** Publishes, withdraws and deletes announcements. */
function createStates({ db, now, news }: Deps) {
  return {
    /** @throws AppError NOT_FOUND, CHANGED_MEANWHILE, ANNOUNCEMENT_PUBLISHED, ANNOUNCEMENT_TIMES */
    publish: (context: AccountContext, { id, version }: Versioned): Promise<Announcement> =>
      within(db, context.caller, async (tx, wide) => {
        const found = await lockVersion(tx, { id, version });
        if (found.state === 'published') throw new AppError('ANNOUNCEMENT_PUBLISHED');
        if (found.endsAt !== null && found.endsAt <= now()) throw new AppError('ANNOUNCEMENT_TIMES');
        const dueAt = await news.tell(tx, { ...found, state: 'published' });
        const row = await stored(
          updateAnnouncement(tx, id, version, { state: 'published', publishedAt: now(), dueAt }),
        );
        await recordAudit(tx, context, now(), { target: targetOf(row), after: { status: statusOf(row, now()) } });
        return presentOne(tx, wide, row, now());
      }),

    /** @throws AppError NOT_FOUND, CHANGED_MEANWHILE, ANNOUNCEMENT_NOT_PUBLISHED */
    withdraw: (context: AccountContext, { id, version }: Versioned): Promise<Announcement> =>
      within(db, context.caller, async (tx, wide) => {
        const found = await lockVersion(tx, { id, version });
        if (found.state !== 'published') throw new AppError('ANNOUNCEMENT_NOT_PUBLISHED');
        const dueAt = await news.tell(tx, { ...found, state: 'withdrawn' });
        const row = await stored(updateAnnouncement(tx, id, version, { state: 'withdrawn', dueAt }));
        await recordAudit(tx, context, now(), {
          target: targetOf(row),
          before: { status: statusOf(found, now()) },
          after: { status: 'withdrawn' },
        });
        return presentOne(tx, wide, row, now());
      }),

    /** @throws AppError NOT_FOUND, ANNOUNCEMENT_PUBLISHED for one that people see or will see */
    remove: (context: AccountContext, id: string): Promise<null> =>
      within(db, context.caller, async (tx, wide) => {
        const row = await lockAnnouncement(tx, id);
        if (!row) throw new AppError('NOT_FOUND');
        if (['running', 'scheduled'].includes(statusOf(row, now()))) throw new AppError('ANNOUNCEMENT_PUBLISHED');
        const before = audited(await presentOne(tx, wide, row, now()));
        await deleteAnnouncement(tx, id);
        await recordAudit(tx, context, now(), { target: targetOf(row), before });
        return null;
      }),
  };
}

/** Announcements for those who write them. */
export function createAnnouncementService(deps: Deps) {
  const { db, now } = deps;
  const pageOf = <T>(records: T[], total: number, { current, size }: { current: number; size: number }) => ({
    records,
    total: Math.min(total, TOTAL_COUNT_LIMIT),
    current,
    size,
    ...(total > TOTAL_COUNT_LIMIT ? { totalIsLowerBound: true } : {}),
  });
  return {
    ...createWriting(deps),
    ...createStates(deps),

    list: (
      { caller }: AccountContext,
      query: Input<typeof contract.announcements.list>['query'],
    ): Promise<Data<typeof contract.announcements.list>> =>
      within(db, caller, async (tx, wide) => {
        const { rows, total } = await listAnnouncements(tx, query, now());
        return pageOf(await present(tx, wide, rows, now()), total, query);
      }),

    roles: ({ caller }: AccountContext): Promise<Data<typeof contract.announcements.roles>> =>
      within(db, caller, (tx) => userRoles(tx)),

    /** @throws AppError NOT_FOUND */
    readers: (
      { caller }: AccountContext,
      id: string,
      query: Input<typeof contract.announcements.readers>['query'],
    ): Promise<Data<typeof contract.announcements.readers>> =>
      within(db, caller, async (tx, wide) => {
        const row = await findAnnouncement(tx, id);
        if (!row) throw new AppError('NOT_FOUND');
        const aim = aimOf(row, (await audiencesOf(tx, [id])).get(id) ?? []);
        const namesTenants = caller.tenantId === PLATFORM_TENANT_ID;
        const { rows, total } = await listReaders(wide, { id, aim, namesTenants, ...query });
        return pageOf(rows, total, query);
      }),
  };
}

export type AnnouncementService = ReturnType<typeof createAnnouncementService>;
