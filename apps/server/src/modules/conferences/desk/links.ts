import type { contract, Data, DeskAccess, DeskLink } from '@rmeet/contract';
import { newId, type Db, type PlatformTx, type TenantTx } from '../../../platform/db/index.ts';
import { AppError, networkOf, type Context, type DeskCaller, type UserCaller } from '../../../platform/http/index.ts';
import type { Push } from '../../../platform/push/index.ts';
import { hashToken, newToken } from '../../../platform/secrets/index.ts';
import { recordAudit } from '../../audit/index.ts';
import { unknownSecret, type Guesser } from '../../accounts/auth/index.ts';
import { findMeeting, findMeetingByNumber, hasConference, isOver } from '../../meetings/index.ts';
import type { MeetingRow } from '../../meetings/tables.ts';
import { findTenant } from '../../accounts/tenants/index.ts';
import { partsOutside } from '../control/authorization.ts';
import { mayDo } from '../policy.ts';
import type { DeskLinkRow } from '../tables.ts';
import { endLink, findLink, findLinkBySecret, findLinkOfDesk, findLinks, insertDesk, insertLink } from './repo.ts';

type UserContext = Context<UserCaller>;
type Made = Data<typeof contract.conferences.manageUrl>;
type Kind = Pick<DeskLinkRow, 'part' | 'scope'>;

const HOUR = 3_600_000;
const LIFETIME = 24 * HOUR;
const LONGEST = 7 * 24 * HOUR;

/** Secrets tried that never were, by where they are tried from. */
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

const works = ({ revokedAt, expiresAt }: DeskLinkRow, now: Date): boolean => revokedAt === null && expiresAt > now;

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

/** Links to desks and status walls: who makes them, what opens them, how they end. */
export function createDeskLinks({ db, push, now }: { db: Db; push: Push; now: () => Date }) {
  /**
   * Refuses those who may not do with the meeting themselves what the link lets others do. Throws NOT_FOUND, FORBIDDEN.
   */
  async function mayLink(tx: TenantTx, caller: UserCaller, meetId: string, part: Kind['part']): Promise<void> {
    if (!mayDo(await partsOutside(tx, caller, meetId), part === 'chair' ? 'handOverChair' : 'control'))
      throw new AppError('FORBIDDEN');
  }

  const audit = (
    tx: TenantTx,
    context: UserContext,
    link: DeskLinkRow,
    meeting: MeetingRow | undefined,
    after: Record<string, unknown>,
  ) =>
    recordAudit(tx, context, now(), { target: { kind: 'deskLink', id: link.id, name: meeting?.subject ?? '' }, after });

  async function make(
    tx: TenantTx,
    context: UserContext,
    meetId: string,
    { part, scope }: Kind,
    until: Date,
  ): Promise<Made> {
    await mayLink(tx, context.caller, meetId, part);
    const meeting = await findMeeting(tx, meetId);
    if (!meeting || isOver(meeting, now())) throw new AppError('MEETING_ENDED');
    if (!hasConference(meeting)) throw new AppError('MEETING_IS_LOCAL');
    const secret = newToken();
    const link = await insertLink(tx, {
      id: newId(),
      meetingId: meeting.id,
      part,
      scope,
      tokenHash: hashToken(secret),
      createdBy: context.caller.name,
      createdAt: now(),
      expiresAt: until,
    });
    await audit(tx, context, link, meeting, { part, scope, expiresAt: until });
    const page = scope === 'status' ? 'terminalstatus' : 'meetingControl';
    // Behind the #, so that the secret is in no request and no log.
    const query = new URLSearchParams({ token: secret, meetId: meeting.id });
    return { id: link.id, url: `${context.origin}/#/${page}?${query.toString()}`, expiresAt: until.toISOString() };
  }

  /** What a secret opens. Refusals are answered, not thrown, because counted guesses have to be committed. */
  async function find(
    tx: PlatformTx,
    secret: string,
    address: string,
    unknown: 'SIGN_INVALID' | 'DESK_LINK_INVALID',
  ): Promise<DeskLinkRow | AppError> {
    const link = await findLinkBySecret(tx, hashToken(secret));
    // Nobody guesses 256 bits: what others behind the address tried does not hold up a link that there is.
    if (!link) return unknownSecret(tx, guesser(address), now(), unknown);
    return works(link, now()) && (await isServed(tx, link)) ? link : new AppError('DESK_LINK_INVALID');
  }

  /** Whether there is a meeting to open a desk of: neither cancelled nor of a disabled tenant. */
  async function isServed(tx: PlatformTx, link: DeskLinkRow): Promise<boolean> {
    return (
      (await findMeeting(tx.asTenant(link.tenantId), link.meetingId)) !== undefined &&
      (await findTenant(tx, link.tenantId))?.enabled === true
    );
  }

  return {
    /** @param timestamp ms since 1970; later than in seven days is in seven days */
    async manageUrl(
      context: UserContext,
      meetId: string,
      part: Kind['part'],
      timestamp: number | undefined,
    ): Promise<Made> {
      const at = now().getTime();
      if (timestamp !== undefined && timestamp <= at)
        throw new AppError('INVALID_INPUT', {}, { timestamp: 'in the past' });
      const until = new Date(Math.min(timestamp ?? at + LIFETIME, at + LONGEST));
      return db.tenant(context.caller.tenantId, (tx) => make(tx, context, meetId, { part, scope: 'control' }, until));
    },

    async monitorUrl(context: UserContext, numericId: string): Promise<Made> {
      const until = new Date(now().getTime() + LIFETIME);
      return db.tenant(context.caller.tenantId, async (tx) => {
        const meeting = await findMeetingByNumber(tx, numericId, now());
        if (!meeting) throw new AppError('NOT_FOUND');
        return make(tx, context, meeting.id, { part: 'viewer', scope: 'status' }, until);
      });
    },

    async list({ caller }: UserContext, meetId: string): Promise<DeskLink[]> {
      return db.tenant(caller.tenantId, async (tx) => {
        await mayLink(tx, caller, meetId, 'viewer');
        return (await findLinks(tx, meetId)).map(present);
      });
    },

    /** Ends a link and, on every server process, the desks it opened; one that was revoked before stays so. */
    async revoke(context: UserContext, meetId: string, id: string): Promise<void> {
      const { caller } = context;
      await db.tenant(caller.tenantId, async (tx) => {
        await mayLink(tx, caller, meetId, 'viewer');
        const link = await findLink(tx, meetId, id);
        if (!link) throw new AppError('NOT_FOUND');
        await mayLink(tx, caller, meetId, link.part);
        await endLink(tx, meetId, id, now());
        await audit(tx, context, link, await findMeeting(tx, meetId), { revoked: true });
        tx.afterCommit(() => push.disconnect({ linkIds: [id] }, 'DESK_GONE'));
      });
    },

    /**
     * Exchanges a link's secret for a token of a desk. Throws DESK_LINK_INVALID, TOO_MANY_REQUESTS, and `unknown` for
     * what was never a secret.
     */
    async open(
      { address }: Pick<Context, 'address'>,
      secret: string,
      unknown: 'SIGN_INVALID' | 'DESK_LINK_INVALID' = 'DESK_LINK_INVALID',
    ): Promise<DeskAccess & { token: string }> {
      const token = newToken();
      const link = await db.platform(async (tx) => {
        const found = await find(tx, secret, address, unknown);
        if (!(found instanceof AppError)) await insertDesk(tx.asTenant(found.tenantId), found, hashToken(token), now());
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
    },

    /** Whose desk token this is; DESK_GONE for one whose link has ended. */
    async authenticate(token: string): Promise<DeskCaller | 'UNAUTHORIZED' | 'DESK_GONE'> {
      return db.platform(async (tx) => {
        const link = await findLinkOfDesk(tx, hashToken(token));
        if (!link) return 'UNAUTHORIZED';
        return works(link, now()) && (await isServed(tx, link)) ? callerOf(link) : 'DESK_GONE';
      });
    },
  };
}

export type DeskLinks = ReturnType<typeof createDeskLinks>;
