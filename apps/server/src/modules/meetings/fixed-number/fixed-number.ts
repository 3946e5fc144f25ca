import { randomInt } from 'node:crypto';
import { eq } from 'drizzle-orm';
import type { contract, FixedNumber, FixedNumberSettings, Meeting } from '@rmeet/contract';
import type { Db, TenantTx } from '../../../platform/db/index.ts';
import { AppError, type Context, type Handlers, type UserCaller } from '../../../platform/http/index.ts';
import type { Push } from '../../../platform/push/index.ts';
import type { SecretBox } from '../../../platform/secrets/index.ts';
import type { Storage } from '../../../platform/storage/index.ts';
import { findTenant } from '../../accounts/tenants/index.ts';
import { findAccount } from '../../accounts/users/index.ts';
import { changed, recordAudit } from '../../audit/index.ts';
import { linksOf } from '../access/links.ts';
import { passwordOf, sealPassword } from '../access/passwords.ts';
import { createMeetingWriter } from '../booking/writer.ts';
import { announceMeeting } from '../events.ts';
import type { ConferencePort, NoticePort } from '../ports.ts';
import { withRelations, presentMeetings } from '../present.ts';
import { findMeetingByNumber, moveMeeting } from '../repo.ts';
import { isHeld, isOver } from '../status.ts';
import { fixedNumber, meetingNumber, type FixedNumberRow, type MeetingRow } from '../tables.ts';
import { takeNumber } from './numbers.ts';

type UserContext = Context<UserCaller>;

/** Minutes that a meeting on a fixed number is booked for; it continues while it has participants. */
const DURATION = 60;
const SETTINGS = [
  'password',
  'waitingRoom',
  'joinBeforeHost',
  'muteOnEntry',
] as const satisfies readonly (keyof FixedNumberSettings)[];

export interface FixedNumberDeps {
  db: Db;
  push: Push;
  secrets: SecretBox;
  storage: Storage;
  now: () => Date;
  conferences: ConferencePort;
  notices: NoticePort;
}

/** The password of a fixed number is sealed for its owner, as that of a meeting is for the meeting. */
const sealedOf = ({ accountId, tenantId, passwordSealed }: FixedNumberRow) => ({
  id: accountId,
  tenantId,
  passwordSealed,
});

/**
 * A fixed number whose owner is enabled, with its password.
 */
export async function findFixedNumber(
  tx: Pick<TenantTx, 'findOne'>,
  number: string,
): Promise<(Pick<MeetingRow, 'id' | 'tenantId' | 'number' | 'passwordSealed'> & { owner: string }) | undefined> {
  const row = await tx.findOne(fixedNumber, eq(fixedNumber.number, number));
  const owner = row && (await findAccount(tx, row.accountId));
  return row && owner?.enabled ? { ...sealedOf(row), number, owner: owner.name } : undefined;
}

const targetOf = ({ accountId, number }: FixedNumberRow) => ({ kind: 'fixedNumber', id: accountId, name: number });

/** The caller's own number, which is assigned at the first call; locked to the end of the transaction. */
async function own(
  tx: TenantTx,
  { userId }: UserCaller,
  { secrets, now }: Pick<FixedNumberDeps, 'secrets' | 'now'>,
): Promise<FixedNumberRow> {
  // The lock on the account makes two first calls wait for each other.
  await findAccount(tx, userId, true);
  const row = await tx.findOne(fixedNumber, eq(fixedNumber.accountId, userId));
  if (row) return row;
  const number = await takeNumber(tx, now(), { kind: 'personal', accountId: userId });
  const [given] = await tx.insert(fixedNumber, {
    accountId: userId,
    number,
    passwordSealed: sealPassword(secrets, tx.tenantId, userId, String(randomInt(100_000, 1_000_000))),
    waitingRoom: false,
    joinBeforeHost: false,
    muteOnEntry: false,
    createdAt: now(),
    updatedAt: now(),
  });
  if (!given) throw new Error('The fixed number was not stored.');
  return given;
}

const settingsOf = (secrets: SecretBox, row: FixedNumberRow): FixedNumberSettings => ({
  password: passwordOf(secrets, sealedOf(row)),
  waitingRoom: row.waitingRoom,
  joinBeforeHost: row.joinBeforeHost,
  muteOnEntry: row.muteOnEntry,
});

/** The meeting on the number that is running or can be opened again. */
async function meetingOn(tx: TenantTx, number: string, now: Date): Promise<MeetingRow | undefined> {
  const found = await findMeetingByNumber(tx, number, now);
  return found && found.cancelledAt === null && !isOver(found, now) ? found : undefined;
}

function createPresenter({ secrets, now, conferences }: FixedNumberDeps) {
  const presentDeps = {
    secrets,
    now,
    terminalCounts: (tx: TenantTx, meetIds: readonly string[]) => conferences.terminalCounts(tx, meetIds),
  };

  async function presentMeeting(tx: TenantTx, row: MeetingRow, context: UserContext): Promise<Meeting> {
    const [made] = await presentMeetings(tx, await withRelations(tx, [row], context.caller), context, presentDeps);
    if (!made) throw new Error('A meeting disappeared while it was presented.');
    return made;
  }

  async function present(tx: TenantTx, row: FixedNumberRow, context: UserContext): Promise<FixedNumber> {
    const settings = settingsOf(secrets, row);
    const held = await meetingOn(tx, row.number, now());
    return {
      numericId: row.number,
      ...settings,
      ...linksOf(context.origin, row.number, settings.password),
      meeting: held ? await presentMeeting(tx, held, context) : null,
    };
  }

  return { present, presentMeeting };
}

type Presenter = ReturnType<typeof createPresenter>;

/** Reads and changes a fixed number and its settings. */
function createSettings(deps: FixedNumberDeps, { present }: Presenter) {
  const { db, push, secrets, now } = deps;
  return {
    read: (context: UserContext): Promise<FixedNumber> =>
      db.tenant(context.caller.tenantId, async (tx) => present(tx, await own(tx, context.caller, deps), context)),

    /** @throws AppError PASSWORD_OR_WAITING_ROOM */
    update: (context: UserContext, settings: FixedNumberSettings): Promise<FixedNumber> =>
      db.tenant(context.caller.tenantId, async (tx) => {
        if (settings.password === '' && !settings.waitingRoom) throw new AppError('PASSWORD_OR_WAITING_ROOM');
        const { password, ...rest } = settings;
        const before = await own(tx, context.caller, deps);
        const passwordSealed = sealPassword(secrets, tx.tenantId, before.accountId, password);
        const [row] = await tx.update(
          fixedNumber,
          { ...rest, passwordSealed, updatedAt: now() },
          eq(fixedNumber.accountId, before.accountId),
        );
        if (!row) throw new Error('The fixed number was lost.');
        await recordAudit(tx, context, now(), {
          target: targetOf(row),
          ...changed(settingsOf(secrets, before), settings, SETTINGS),
        });
        return present(tx, row, context);
      }),

    /** @throws AppError MEETING_RUNNING */
    renew: (context: UserContext): Promise<FixedNumber> =>
      db.tenant(context.caller.tenantId, async (tx) => {
        const before = await own(tx, context.caller, deps);
        const last = await meetingOn(tx, before.number, now());
        if (last && isHeld(last)) throw new AppError('MEETING_RUNNING');
        if (last && (await moveMeeting(tx, last.id, 'cancel', now()))) await announceMeeting(push, tx, last.id);
        // Past meetings keep the number, so it is never assigned again.
        await tx.update(meetingNumber, { kind: 'meeting', accountId: null }, eq(meetingNumber.number, before.number));
        const number = await takeNumber(tx, now(), { kind: 'personal', accountId: before.accountId });
        const [row] = await tx.update(
          fixedNumber,
          { number, updatedAt: now() },
          eq(fixedNumber.accountId, before.accountId),
        );
        if (!row) throw new Error('The fixed number was lost.');
        await recordAudit(tx, context, now(), {
          target: targetOf(row),
          before: { number: before.number },
          after: { number },
        });
        return present(tx, row, context);
      }),
  };
}

/** Starts meetings on a fixed number. */
function createStart(deps: FixedNumberDeps, { presentMeeting }: Presenter) {
  const { db, secrets, storage, now, conferences, notices } = deps;
  const writer = createMeetingWriter({ secrets, storage, now });

  async function newMeeting(tx: TenantTx, row: FixedNumberRow, context: UserContext): Promise<MeetingRow> {
    const { name } = context.caller;
    const minutes = (await findTenant(tx, tx.tenantId))?.maxMeetingMinutes ?? DURATION;
    const made = await writer.insert(
      tx,
      context,
      { type: 'NETWORK_MEETING', number: row.number },
      {
        ...settingsOf(secrets, row),
        subject: context.locale === 'en' ? `${name}'s meeting` : `${name}的会议`,
        agenda: '',
        startTime: now().toISOString(),
        duration: Math.min(DURATION, minutes),
        timeZone: 'UTC',
        template: 'standard',
        e2ee: false,
        autoRecord: false,
        vip: false,
        participants: [],
        roomIds: [],
        terminalIds: [],
        resourceId: null,
      },
    );
    if (made.approval === 'waiting') await notices.meetingChanged(tx, context, made.id);
    return made;
  }

  return {
    /** @throws AppError MEDIA_UNAVAILABLE, MEETING_NOT_APPROVED, and the errors of booking */
    async start(context: UserContext): Promise<Meeting> {
      const { tenantId } = context.caller;
      const row = await db.tenant(tenantId, async (tx) => {
        const mine = await own(tx, context.caller, deps);
        return (await meetingOn(tx, mine.number, now())) ?? newMeeting(tx, mine, context);
      });
      const record = (tx: TenantTx) =>
        recordAudit(tx, context, now(), {
          target: { kind: 'meeting', id: row.id, name: row.subject },
          before: { status: row.status },
          after: { status: 'ONLINE' },
        });
      if (row.status !== 'ONLINE') await conferences.open(row, record);
      return db.tenant(tenantId, async (tx) => {
        const held = await findMeetingByNumber(tx, row.number, now());
        return presentMeeting(tx, held ?? row, context);
      });
    },
  };
}

/** Personal numbers, on which their owners can hold meetings at any time. */
export function createFixedNumbers(deps: FixedNumberDeps) {
  const presenter = createPresenter(deps);
  return { ...createSettings(deps, presenter), ...createStart(deps, presenter) };
}

export const fixedNumberRoutes = (
  fixedNumbers: ReturnType<typeof createFixedNumbers>,
): Handlers<typeof contract.fixedNumber> => ({
  read: (context) => fixedNumbers.read(context),
  update: (context, { body }) => fixedNumbers.update(context, body),
  renew: (context) => fixedNumbers.renew(context),
  start: (context) => fixedNumbers.start(context),
});
