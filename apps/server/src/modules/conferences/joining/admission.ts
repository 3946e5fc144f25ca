import { NO_CONTROL, type ConferenceRole } from '@rmeet/conference';
import type { contract, Input, PreJoin } from '@rmeet/contract';
import type { Db, PlatformTx } from '../../../platform/db/index.ts';
import { AppError, networkOf, type Context, type UserCaller } from '../../../platform/http/index.ts';
import type { SecretBox } from '../../../platform/secrets/index.ts';
import { countFailure, forgetFailures, standingOf, takeOneBack, type Guesser } from '../../accounts/auth/index.ts';
import { openGuestLink } from '../../guests/index.ts';
import type { GuestTokenRow } from '../../guests/tables.ts';
import {
  findFixedNumber,
  findMeetingByNumber,
  hasConference,
  isEarly,
  isHeld,
  isOnWhiteList,
  isOver,
  isPassword,
  meetingEarly,
  presentStart,
  refusalToOpen,
  relationIn,
} from '../../meetings/index.ts';
import type { MeetingRow } from '../../meetings/tables.ts';
import { findTenant } from '../../accounts/tenants/index.ts';
import { findAccount } from '../../accounts/users/index.ts';
import { awaitsHost } from '../control/index.ts';
import { placesRefusal } from './capacity.ts';
import { mustWait, roleOf, type Comer } from '../policy.ts';
import { findRunning } from '../repo.ts';

type JoinBody = Input<typeof contract.conferences.join>['body'];
export type Joiner = Context & { caller: UserCaller | { kind: 'anyone' } };

/** Numbers tried that do not exist, by where they are tried from. */
const numberGuesser = (address: string): Guesser => ({
  scope: 'join-number',
  key: [networkOf(address)],
  free: 20,
  delay: 2,
  maxDelay: 300,
});
const passwordGuesser = (address: string, number: string): Guesser => ({
  scope: 'join-password',
  key: [networkOf(address), number],
  free: 5,
  delay: 2,
  maxDelay: 300,
});
/** All addresses together; generous and short, because it also keeps out guests who know the password. */
const meetingGuesser = (number: string): Guesser => ({
  scope: 'join-password-anywhere',
  key: [number],
  free: 50,
  delay: 1,
  maxDelay: 60,
});

interface Found extends Comer {
  meeting: MeetingRow;
  /** The guest link they come by. */
  guestToken: GuestTokenRow | null;
}

/** Somebody who may come in, if there is room. */
export interface Admissible extends Found {
  name: string;
}

export interface AdmissionDeps {
  db: Db;
  secrets: SecretBox;
  now: () => Date;
}

export function createAdmission({ db, secrets, now }: AdmissionDeps) {
  async function wait(tx: PlatformTx, ...guessers: Guesser[]): Promise<AppError | null> {
    let seconds = 0;
    for (const guesser of guessers) seconds = Math.max(seconds, (await standingOf(tx, guesser, now())).wait);
    return seconds > 0 ? new AppError('TOO_MANY_REQUESTS', { seconds }) : null;
  }

  /**
   * The meeting's own state against the clock; host and stand-ins may open it at any time before it is over, but not
   * unawares.
   */
  function checkTime(
    meeting: MeetingRow,
    role: ConferenceRole,
    { early }: JoinBody,
    locale: 'zh' | 'en',
  ): AppError | null {
    if (isHeld(meeting) || !isEarly(meeting, now())) return null;
    if (role === 'host') return early ? null : meetingEarly(meeting, locale);
    return new AppError('MEETING_NOT_STARTED', { startTime: presentStart(meeting, locale) });
  }

  async function checkPassword(
    tx: PlatformTx,
    meeting: Pick<MeetingRow, 'id' | 'tenantId' | 'number' | 'passwordSealed'>,
    body: JoinBody,
    address: string,
  ): Promise<AppError | null> {
    if (meeting.passwordSealed === null) return null;
    if (!body.password) return new AppError('MEETING_PASSWORD_REQUIRED');
    const here = passwordGuesser(address, meeting.number);
    const everywhere = meetingGuesser(meeting.number);
    const refusal = await wait(tx, here, everywhere);
    if (refusal) return refusal;
    if (isPassword(secrets, meeting, body.password)) {
      await forgetFailures(tx, here);
      // Those who know it make up for those who mistype it: a large meeting is not shut to its own people.
      await takeOneBack(tx, everywhere);
      return null;
    }
    await countFailure(tx, here, now());
    await countFailure(tx, everywhere, now());
    return new AppError('MEETING_PASSWORD_WRONG');
  }

  /** Whether a guest shows the password of a meeting that has one. */
  async function knowsPassword(tx: PlatformTx, meeting: MeetingRow, body: JoinBody, address: string): Promise<boolean> {
    return meeting.passwordSealed !== null && (await checkPassword(tx, meeting, body, address)) === null;
  }

  async function comerOf(tx: PlatformTx, caller: Joiner['caller'], meeting: MeetingRow): Promise<Comer> {
    if (caller.kind !== 'user') return { role: 'guest', belongs: false };
    const relation = await relationIn(tx, caller, meeting);
    const isColleague = caller.tenantId === meeting.tenantId;
    return {
      role: roleOf(relation, isColleague),
      belongs: relation !== 'none' || (isColleague && (await isOnWhiteList(tx, meeting.id, caller.userId))),
    };
  }

  const meetingOf = (
    tx: PlatformTx,
    { numericId = '', meetId }: Pick<JoinBody, 'numericId' | 'meetId'>,
  ): Promise<MeetingRow | undefined> => findMeetingByNumber(tx, numericId, now(), meetId);

  /**
   * A fixed number on which no meeting is held: its owner has to start one. That is told to the owner, and to those who
   * know its password.
   */
  async function notStarted(tx: PlatformTx, { caller, address }: Joiner, body: JoinBody): Promise<AppError | null> {
    const fixed = await findFixedNumber(tx, body.numericId ?? '');
    const tenant = fixed && (await findTenant(tx, fixed.tenantId));
    if (!fixed || !tenant?.enabled) return null;
    const isOwner = caller.kind === 'user' && caller.userId === fixed.id;
    return (
      (isOwner ? null : await checkPassword(tx, fixed, body, address)) ??
      new AppError('FIXED_NUMBER_NOT_STARTED', { host: fixed.owner })
    );
  }

  /**
   * The meeting of a number or a guest link, with what this person is to it; whoever comes by a link needs neither
   * number nor password.
   */
  async function find(tx: PlatformTx, joiner: Joiner, body: JoinBody): Promise<AppError | Found> {
    const { caller, address } = joiner;
    const { resource } = body;
    const link = resource === undefined ? undefined : await openGuestLink(tx, resource, address, now());
    if (link instanceof AppError) return link;
    const meeting = link?.meeting ?? (await meetingOf(tx, body));
    const comer = meeting ? await comerOf(tx, caller, meeting) : { role: 'guest' as const, belongs: false };
    if (meeting && link) return { meeting, ...comer, guestToken: link.token };

    const tenant = meeting && (await findTenant(tx, meeting.tenantId));
    if (!comer.belongs) {
      const refusal = await wait(tx, numberGuesser(address));
      // Numbers that others behind the address mistyped do not hold up a guest who knows number and password. Wrong
      // passwords still count.
      if (refusal && !(meeting && tenant?.enabled && (await knowsPassword(tx, meeting, body, address)))) return refusal;
    }
    const idle = !meeting || isOver(meeting, now()) ? await notStarted(tx, joiner, body) : null;
    if (idle) return idle;
    // Nobody joins a local meeting: that there is one is told to those alone who belong to it.
    if (meeting && tenant?.enabled && (comer.belongs || hasConference(meeting)))
      return { meeting, ...comer, guestToken: null };
    await countFailure(tx, numberGuesser(address), now());
    return new AppError('MEETING_NUMBER_UNKNOWN');
  }

  /**
   * In this order: is there such a meeting, is it over, may this person in (password), is it time, has
   * the tenant a place (looked at again when it is taken; here so that no conference opens for nobody). So nobody
   * learns when a meeting starts without its password, and nobody is asked for a password to a meeting that is over.
   * Refusals are answered, not thrown, because counted guesses have to be committed.
   */
  async function decide(tx: PlatformTx, joiner: Joiner, body: JoinBody): Promise<AppError | Admissible> {
    const { caller, address, locale } = joiner;
    const found = await find(tx, joiner, body);
    if (found instanceof AppError) return found;
    const { meeting, role, belongs, guestToken } = found;
    if (meeting.cancelledAt) return new AppError('MEETING_CANCELLED');
    if (isOver(meeting, now())) return new AppError('MEETING_ENDED');
    const wrong = !belongs && guestToken === null ? await checkPassword(tx, meeting, body, address) : null;
    const running = await findRunning(tx, meeting.id);
    const control = running?.control ?? NO_CONTROL;
    const waits = mustWait(found, meeting, control.waitingRoom) || awaitsHost(role, meeting, control);
    const closed = refusalToOpen(meeting);
    const refusal =
      wrong ??
      (closed ? new AppError(closed) : null) ??
      checkTime(meeting, role, body, locale) ??
      (waits ? null : await placesRefusal(tx.asTenant(meeting.tenantId), 1));
    return refusal ?? { ...found, name: body.name || (caller.kind === 'user' ? caller.name : '') };
  }

  return {
    /** Lets a joiner up to the door of the conference. Throws the errors of the contract's join. */
    async check(joiner: Joiner, body: JoinBody): Promise<Admissible> {
      if (joiner.caller.kind !== 'user' && !body.name) throw new AppError('NAME_REQUIRED');
      const decision = await db.platform((tx) => decide(tx, joiner, body));
      if (decision instanceof AppError) throw decision;
      return decision;
    },

    /**
     * What an account is asked for to join by a number. Of meetings that are none of theirs nothing is told, not even
     * whether there is one, so numbers cannot be guessed here.
     */
    async preJoin(caller: UserCaller, query: { numericId: string; meetId?: string | undefined }): Promise<PreJoin> {
      return db.platform(async (tx) => {
        const meeting = await meetingOf(tx, query);
        const { role, belongs } =
          meeting && meeting.cancelledAt === null
            ? await comerOf(tx, caller, meeting)
            : { role: 'guest', belongs: false };
        if (!meeting || !belongs)
          return { asksPassword: (await findFixedNumber(tx, query.numericId))?.id !== caller.userId, meeting: null };
        const { id: meetId, subject, startTime, duration } = meeting;
        const early = role === 'host' && meeting.status === 'SCHEDULE' && isEarly(meeting, now());
        const host = await findAccount(tx, meeting.hostId);
        return {
          asksPassword: false,
          meeting: { meetId, subject, hostName: host?.name ?? '', startTime: startTime.toISOString(), duration, early },
        };
      });
    },
  };
}

export type Admissions = ReturnType<typeof createAdmission>;
