import type { contract, Data, DeskAccess, DeskLink } from '@rmeet/contract';
import { newId, type Db, type PlatformTx, type TenantTx } from '../../../platform/db/index.ts';
import { AppError, networkOf, type Context, type DeskCaller, type UserCaller } from '../../../platform/http/index.ts';
import type { Push } from '../../../platform/push/index.ts';
import { hashToken, newToken } from '../../../platform/secrets/index.ts';
import { recordAudit } from '../../audit/index.ts';
import { unknownSecret, type Guesser } from '../../accounts/auth/index.ts';
import { findMeeting, findMeetingByNumber, isOver, refusalWithoutConference } from '../../meetings/index.ts';
import type { MeetingRow } from '../../meetings/tables.ts';
import { findTenant } from '../../accounts/tenants/index.ts';
import { partsOfCaller } from '../control/authorization.ts';
import { mayDo } from '../policy.ts';
import type { DeskLinkRow } from '../tables.ts';
import { endLink, findLink, findLinkBySecret, findLinkOfDesk, findLinks, insertDesk, insertLink } from './repo.ts';

type UserContext = Context<UserCaller>;
type CreatedLink = Data<typeof contract.conferences.manageUrl>;
type Kind = Pick<DeskLinkRow, 'part' | 'scope'>;

const HOUR = 3_600_000;
const LIFETIME = 24 * HOUR;
const LONGEST = 7 * 24 * HOUR;

/** Attempts with unknown secrets, per network. */
const guesser = (address: string): Guesser => ({
  scope: 'desk-link',
  key: [networkOf(address)],
  free: 20,
  delay: 2,
  maxDelay: 300,
});

function present({ id, part, scope, createdBy, createdAt, expiresAt, revokedAt, lastUsedAt }: DeskLinkRow): DeskLink {
  return {
    id,
    part,
    scope,
    createdBy,
    createdAt: createdAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
    revokedAt: revokedAt?.toISOString() ?? null,
    lastUsedAt: lastUsedAt?.toISOString() ?? null,
  };
}

const isActive = ({ revokedAt, expiresAt }: DeskLinkRow, now: Date): boolean => revokedAt === null && expiresAt > now;

function callerOf({ tenantId, meetingId, part, scope, id, createdBy, expiresAt }: DeskLinkRow): DeskCaller {
  return {
    kind: 'desk',
    tenantId,
    meetId: meetingId,
    part: part === 'chair' ? 'deskChair' : 'deskViewer',
    scope,
    linkId: id,
    name: createdBy,
    expiresAt,
  };
}

/**
 * Checks that a caller may give others, by a link, what they may do in the meeting themselves.
 *
 * @throws AppError NOT_FOUND, FORBIDDEN
 */
async function checkMayLink(tx: TenantTx, caller: UserCaller, meetId: string, part: Kind['part']): Promise<void> {
  if (!mayDo(await partsOfCaller(tx, caller, meetId), part === 'chair' ? 'handOverChair' : 'control'))
    throw new AppError('FORBIDDEN');
}

/** Whether the link's meeting exists and is not cancelled, and its tenant is enabled. */
async function isServed(tx: PlatformTx, link: DeskLinkRow): Promise<boolean> {
  return (
    (await findMeeting(tx.asTenant(link.tenantId), link.meetingId)) !== undefined &&
    (await findTenant(tx, link.tenantId))?.enabled === true
  );
}

/** Links to desks and status walls: creates, lists, opens and revokes them. */
export class DeskLinks {
  readonly #db: Db;
  readonly #push: Push;
  readonly #now: () => Date;

  constructor({ db, push, now }: { db: Db; push: Push; now: () => Date }) {
    this.#db = db;
    this.#push = push;
    this.#now = now;
  }

  /** @param timestamp ms since 1970 of the expiry; limited to seven days from now */
  async manageUrl(
    context: UserContext,
    meetId: string,
    part: Kind['part'],
    timestamp: number | undefined,
  ): Promise<CreatedLink> {
    const at = this.#now().getTime();
    if (timestamp !== undefined && timestamp <= at)
      throw new AppError('INVALID_INPUT', {}, { timestamp: 'in the past' });
    const until = new Date(Math.min(timestamp ?? at + LIFETIME, at + LONGEST));
    return this.#db.tenant(context.caller.tenantId, (tx) =>
      this.#create(tx, context, meetId, { part, scope: 'control' }, until),
    );
  }

  async monitorUrl(context: UserContext, numericId: string): Promise<CreatedLink> {
    const until = new Date(this.#now().getTime() + LIFETIME);
    return this.#db.tenant(context.caller.tenantId, async (tx) => {
      const meeting = await findMeetingByNumber(tx, numericId, this.#now());
      if (!meeting) throw new AppError('NOT_FOUND');
      return this.#create(tx, context, meeting.id, { part: 'viewer', scope: 'status' }, until);
    });
  }

  async list({ caller }: UserContext, meetId: string): Promise<DeskLink[]> {
    return this.#db.tenant(caller.tenantId, async (tx) => {
      await checkMayLink(tx, caller, meetId, 'viewer');
      return (await findLinks(tx, meetId)).map(present);
    });
  }

  /** Revokes a link and, on every server process, closes the desks it opened. */
  async revoke(context: UserContext, meetId: string, id: string): Promise<void> {
    const { caller } = context;
    await this.#db.tenant(caller.tenantId, async (tx) => {
      await checkMayLink(tx, caller, meetId, 'viewer');
      const link = await findLink(tx, meetId, id);
      if (!link) throw new AppError('NOT_FOUND');
      await checkMayLink(tx, caller, meetId, link.part);
      await endLink(tx, meetId, id, this.#now());
      await this.#audit(tx, context, link, await findMeeting(tx, meetId), { revoked: true });
      tx.afterCommit(() => this.#push.disconnect({ linkIds: [id] }, 'DESK_GONE'));
    });
  }

  /**
   * Exchanges a link's secret for the token of a desk.
   *
   * @throws AppError DESK_LINK_INVALID, TOO_MANY_REQUESTS, and `unknown` for a secret that never existed
   */
  async open(
    { address }: Pick<Context, 'address'>,
    secret: string,
    unknown: 'SIGN_INVALID' | 'DESK_LINK_INVALID' = 'DESK_LINK_INVALID',
  ): Promise<DeskAccess & { token: string }> {
    const token = newToken();
    const link = await this.#db.platform(async (tx) => {
      const found = await this.#find(tx, secret, address, unknown);
      if (!(found instanceof AppError))
        await insertDesk(tx.asTenant(found.tenantId), found, hashToken(token), this.#now());
      return found;
    });
    if (link instanceof AppError) throw link;
    return {
      token,
      meetId: link.meetingId,
      part: link.part,
      scope: link.scope,
      expiresAt: link.expiresAt.toISOString(),
    };
  }

  /** The caller of a desk token; DESK_GONE if its link has ended. */
  async authenticate(token: string): Promise<DeskCaller | 'UNAUTHORIZED' | 'DESK_GONE'> {
    return this.#db.platform(async (tx) => {
      const link = await findLinkOfDesk(tx, hashToken(token));
      if (!link) return 'UNAUTHORIZED';
      return isActive(link, this.#now()) && (await isServed(tx, link)) ? callerOf(link) : 'DESK_GONE';
    });
  }

  async #create(
    tx: TenantTx,
    context: UserContext,
    meetId: string,
    { part, scope }: Kind,
    until: Date,
  ): Promise<CreatedLink> {
    const now = this.#now();
    await checkMayLink(tx, context.caller, meetId, part);
    const meeting = await findMeeting(tx, meetId);
    if (!meeting || isOver(meeting, now)) throw new AppError('MEETING_ENDED');
    const refusal = refusalWithoutConference(meeting);
    if (refusal) throw new AppError(refusal);
    const secret = newToken();
    const link = await insertLink(tx, {
      id: newId(),
      meetingId: meeting.id,
      part,
      scope,
      tokenHash: hashToken(secret),
      createdBy: context.caller.name,
      createdAt: now,
      expiresAt: until,
    });
    await this.#audit(tx, context, link, meeting, { part, scope, expiresAt: until });
    const page = scope === 'status' ? 'terminalstatus' : 'meetingControl';
    // Behind the #, so that the secret appears in no request and no log.
    const query = new URLSearchParams({ token: secret, meetId: meeting.id });
    return { id: link.id, url: `${context.origin}/#/${page}?${query.toString()}`, expiresAt: until.toISOString() };
  }

  /** The link of a secret. Refusals are returned instead of thrown, because counted guesses have to be committed. */
  async #find(
    tx: PlatformTx,
    secret: string,
    address: string,
    unknown: 'SIGN_INVALID' | 'DESK_LINK_INVALID',
  ): Promise<DeskLinkRow | AppError> {
    const link = await findLinkBySecret(tx, hashToken(secret));
    // 256 bits cannot be guessed, so wrong attempts from the same network do not delay a link that exists.
    if (!link) return unknownSecret(tx, guesser(address), this.#now(), unknown);
    return isActive(link, this.#now()) && (await isServed(tx, link)) ? link : new AppError('DESK_LINK_INVALID');
  }

  #audit(
    tx: TenantTx,
    context: UserContext,
    link: DeskLinkRow,
    meeting: MeetingRow | undefined,
    after: Record<string, unknown>,
  ): Promise<void> {
    return recordAudit(tx, context, this.#now(), {
      target: { kind: 'deskLink', id: link.id, name: meeting?.subject ?? '' },
      after,
    });
  }
}
