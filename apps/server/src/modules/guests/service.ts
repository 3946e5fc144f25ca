import type { contract, Data, GuestToken } from '@rmeet/contract';
import { newId, type Db, type TenantTx } from '../../platform/db/index.ts';
import { AppError, type Context, type UserCaller } from '../../platform/http/index.ts';
import { hashToken, newToken } from '../../platform/secrets/index.ts';
import { recordAudit } from '../audit/index.ts';
import {
  guestLinksUntil,
  isOver,
  manageMeeting,
  refusalWithoutConference,
  type ConferencePort,
} from '../meetings/index.ts';
import type { MeetingRow } from '../meetings/tables.ts';
import { entryLookOf, tenantOf } from '../accounts/tenants/index.ts';
import { findAccount } from '../accounts/users/index.ts';
import { openGuestLink, type GuestLink } from './link.ts';
import { findGuests, findOfMeeting, insertToken, renewToken, revokeToken } from './repo.ts';
import type { GuestTokenRow } from './tables.ts';

type UserContext = Context<UserCaller>;
type WithLink = Data<typeof contract.guests.create>;

export interface GuestDeps {
  db: Db;
  now: () => Date;
  conferences: Pick<ConferencePort, 'terminalCounts' | 'isRecorded'>;
}

function present({ id, meetingId, expiresAt, uses, createdAt, createdBy }: GuestTokenRow): GuestToken {
  return {
    id,
    meetingId,
    expiresAt: expiresAt.toISOString(),
    count: uses,
    createdAt: createdAt.toISOString(),
    createdBy,
  };
}

const presentWithLink = (row: GuestTokenRow, resource: string, { origin }: UserContext): WithLink => ({
  ...present(row),
  resource,
  url: `${origin}/#/join?guest=${resource}`,
});

/** Guest links of meetings: creates, renews and removes them, and serves those who use them. */
class GuestService {
  readonly #deps: GuestDeps;

  constructor(deps: GuestDeps) {
    this.#deps = deps;
  }

  async find({ caller }: UserContext, meetingId: string): Promise<GuestToken | null> {
    return this.#deps.db.tenant(caller.tenantId, async (tx) => {
      await manageMeeting(tx, meetingId, caller, { lock: false });
      const row = await findOfMeeting(tx, meetingId);
      return row ? present(row) : null;
    });
  }

  async create(context: UserContext, meetingId: string): Promise<WithLink> {
    const resource = newToken();
    return this.#deps.db.tenant(context.caller.tenantId, async (tx) => {
      const meeting = await this.#openMeeting(tx, context, meetingId);
      await revokeToken(tx, meetingId, this.#deps.now());
      const row = await insertToken(tx, { id: newId(), meetingId, ...this.#issued(meeting, context, resource) });
      await this.#audit(tx, context, row, meeting, { after: { expiresAt: row.expiresAt } });
      return presentWithLink(row, resource, context);
    });
  }

  /** Throws NOT_FOUND if the meeting has no link. */
  async renew(context: UserContext, meetingId: string): Promise<WithLink> {
    const resource = newToken();
    return this.#deps.db.tenant(context.caller.tenantId, async (tx) => {
      const meeting = await this.#openMeeting(tx, context, meetingId);
      const row = await renewToken(tx, meetingId, this.#issued(meeting, context, resource));
      if (!row) throw new AppError('NOT_FOUND');
      await this.#audit(tx, context, row, meeting, { before: { link: '***' }, after: { link: '***' } });
      return presentWithLink(row, resource, context);
    });
  }

  /** Throws NOT_FOUND if the meeting has no link. */
  async remove(context: UserContext, meetingId: string): Promise<void> {
    await this.#deps.db.tenant(context.caller.tenantId, async (tx) => {
      const meeting = await manageMeeting(tx, meetingId, context.caller, { lock: true });
      const row = await revokeToken(tx, meetingId, this.#deps.now());
      if (!row) throw new AppError('NOT_FOUND');
      await this.#audit(tx, context, row, meeting, { before: { expiresAt: row.expiresAt, count: row.uses } });
    });
  }

  async guestsOf({ caller }: UserContext, meetingId: string): Promise<Data<typeof contract.guests.queryUsers>> {
    return this.#deps.db.tenant(caller.tenantId, async (tx) => {
      await manageMeeting(tx, meetingId, caller, { lock: false });
      const rows = await findGuests(tx, meetingId);
      return rows.map(({ termId, name, admittedAt, createdAt, leftAt }) => ({
        termId,
        name,
        joinedAt: (admittedAt ?? createdAt).toISOString(),
        leftAt: leftAt?.toISOString() ?? null,
      }));
    });
  }

  /** How many terminals are inside the meeting of a link. */
  async count(context: Context, resource: string): Promise<number> {
    const { meeting } = await this.#linkOf(resource, context);
    return this.#deps.db.tenant(meeting.tenantId, (tx) => this.#countInside(tx, meeting.id));
  }

  async meetingOf(context: Context, resource: string): Promise<Data<typeof contract.guests.queryMeetDetail>> {
    const { meeting } = await this.#linkOf(resource, context);
    const { subject, startTime, duration, number, waitingRoom, e2ee } = meeting;
    const { host, count, recorded, tenant } = await this.#deps.db.tenant(meeting.tenantId, async (tx) => ({
      host: await findAccount(tx, meeting.hostId),
      count: await this.#countInside(tx, meeting.id),
      recorded: await this.#deps.conferences.isRecorded(tx, meeting),
      tenant: await tenantOf(tx, meeting.tenantId),
    }));
    return {
      subject,
      startTime: startTime.toISOString(),
      duration,
      hostName: host?.name ?? '',
      numericId: number,
      waitingRoom,
      e2ee,
      recorded,
      // A guest link may be passed on, so it names nobody.
      inside: { count, names: [] },
      look: entryLookOf(tenant),
    };
  }

  async #countInside(tx: TenantTx, meetingId: string): Promise<number> {
    const counts = await this.#deps.conferences.terminalCounts(tx, [meetingId]);
    return counts.get(meetingId) ?? 0;
  }

  /** The meeting for a caller who may manage it, while it can be joined. */
  async #openMeeting(tx: TenantTx, context: UserContext, meetingId: string): Promise<MeetingRow> {
    const meeting = await manageMeeting(tx, meetingId, context.caller, { lock: true });
    if (isOver(meeting, this.#deps.now())) throw new AppError('MEETING_ENDED');
    const refusal = refusalWithoutConference(meeting);
    if (refusal) throw new AppError(refusal);
    return meeting;
  }

  #audit(
    tx: TenantTx,
    context: UserContext,
    token: GuestTokenRow,
    meeting: MeetingRow,
    fields: { before?: object; after?: object },
  ): Promise<void> {
    return recordAudit(tx, context, this.#deps.now(), {
      target: { kind: 'guestToken', id: token.id, name: meeting.subject },
      ...(fields as Record<string, Record<string, unknown>>),
    });
  }

  #issued(meeting: MeetingRow, { caller }: UserContext, resource: string) {
    return {
      tokenHash: hashToken(resource),
      createdBy: caller.name,
      createdAt: this.#deps.now(),
      expiresAt: guestLinksUntil(meeting.endTime),
    };
  }

  /** @throws AppError GUEST_LINK_INVALID, TOO_MANY_REQUESTS */
  async #linkOf(resource: string, { address }: Context): Promise<GuestLink> {
    const { db, now } = this.#deps;
    const found = await db.platform((tx) => openGuestLink(tx, resource, address, now()));
    if (found instanceof AppError) throw found;
    return found;
  }
}

export type { GuestService };

export const createGuestService = (deps: GuestDeps): GuestService => new GuestService(deps);
