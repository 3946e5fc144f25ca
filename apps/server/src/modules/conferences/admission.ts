import type { contract, Input } from '@rmeet/contract';
import type { Db, PlatformTx } from '../../platform/db/index.ts';
import { AppError, networkOf, type Context, type UserCaller } from '../../platform/http/index.ts';
import type { SecretBox } from '../../platform/secrets/index.ts';
import { countFailure, forgetFailures, standingOf, type Guesser } from '../auth/index.ts';
import { findMeetingByNumber, isInvited, isOver, isPassword, opensAt, relationTo } from '../meetings/index.ts';
import type { MeetingRow } from '../meetings/tables.ts';
import { findTenant } from '../tenants/index.ts';
import { roleOf, type ConferenceRole } from './policy.ts';

type JoinBody = Input<typeof contract.conferences.join>['body'];
export type Joiner = Context & { caller: UserCaller | { kind: 'anyone' } };

/** Numbers tried that do not exist, by where they are tried from. */
const numberGuesser = (address: string): Guesser => ({ scope: 'join-number', key: [networkOf(address)], free: 20, delay: 2, maxDelay: 300 });
const passwordGuesser = (address: string, number: string): Guesser => ({ scope: 'join-password', key: [networkOf(address), number], free: 5, delay: 2, maxDelay: 300 });
/** All addresses together; generous and short, because it also keeps out guests who know the password. */
const meetingGuesser = (number: string): Guesser => ({ scope: 'join-password-anywhere', key: [number], free: 50, delay: 1, maxDelay: 60 });

/** Somebody who may come in, if there is room. */
export interface Admissible {
  meeting: MeetingRow;
  role: ConferenceRole;
  name: string;
}

export interface AdmissionDeps {
  db: Db;
  secrets: SecretBox;
  now: () => Date;
}

/** A moment as its readers write it, with the time zone named, since the server cannot know theirs. */
function presentTime(time: Date, locale: 'zh' | 'en'): string {
  return new Intl.DateTimeFormat(locale === 'zh' ? 'zh-CN' : 'en-GB', {
    year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit', timeZoneName: 'short',
  }).format(time);
}

export function createAdmission({ db, secrets, now }: AdmissionDeps) {
  async function wait(tx: PlatformTx, ...guessers: Guesser[]): Promise<AppError | null> {
    let seconds = 0;
    for (const guesser of guessers) seconds = Math.max(seconds, (await standingOf(tx, guesser, now())).wait);
    return seconds > 0 ? new AppError('TOO_MANY_REQUESTS', { seconds }) : null;
  }

  /** The meeting's own state against the clock; host and stand-ins may open it at any time before it is over. */
  function checkTime(meeting: MeetingRow, role: ConferenceRole, locale: 'zh' | 'en'): AppError | null {
    if (meeting.status === 'ONLINE' || role === 'host' || now() >= opensAt(meeting)) return null;
    return new AppError('MEETING_NOT_STARTED', { startTime: presentTime(meeting.startTime, locale) });
  }

  async function checkPassword(tx: PlatformTx, meeting: MeetingRow, body: JoinBody, address: string): Promise<AppError | null> {
    if (meeting.passwordSealed === null) return null;
    if (!body.password) return new AppError('MEETING_PASSWORD_REQUIRED');
    const here = passwordGuesser(address, meeting.number);
    const everywhere = meetingGuesser(meeting.number);
    const refusal = await wait(tx, here, everywhere);
    if (refusal) return refusal;
    if (isPassword(secrets, meeting, body.password)) {
      await forgetFailures(tx, here);
      return null;
    }
    await countFailure(tx, here, now());
    await countFailure(tx, everywhere, now());
    return new AppError('MEETING_PASSWORD_WRONG');
  }

  /**
   * In this order: is there such a meeting, is it over, may this person in (password), is it time. So nobody learns
   * when a meeting starts without its password, and nobody is asked for a password to a meeting that is over.
   * Refusals are answered, not thrown, because counted guesses have to be committed.
   */
  async function decide(tx: PlatformTx, { caller, address, locale }: Joiner, body: JoinBody): Promise<AppError | Admissible> {
    const meeting = await findMeetingByNumber(tx, body.numericId);
    const user = caller.kind === 'user' ? caller : null;
    const invited = meeting !== undefined && user !== null && (await isInvited(tx, meeting.id, user.userId));
    const role = meeting && user ? roleOf(relationTo(user, meeting, invited)) : 'guest';

    const tenant = meeting && (await findTenant(tx, meeting.tenantId));
    if (role === 'guest') {
      const refusal = await wait(tx, numberGuesser(address));
      if (refusal) return refusal;
    }
    if (!meeting || !tenant?.enabled) {
      await countFailure(tx, numberGuesser(address), now());
      return new AppError('MEETING_NUMBER_UNKNOWN');
    }
    if (meeting.cancelledAt) return new AppError('MEETING_CANCELLED');
    if (isOver(meeting, now())) return new AppError('MEETING_ENDED');
    const refusal = (role === 'guest' ? await checkPassword(tx, meeting, body, address) : null) ?? checkTime(meeting, role, locale);
    return refusal ?? { meeting, role, name: body.name || (user?.name ?? '') };
  }

  return {
    /** Lets a joiner up to the door of the conference. Throws the errors of the contract's join. */
    async check(joiner: Joiner, body: JoinBody): Promise<Admissible> {
      if (joiner.caller.kind !== 'user' && !body.name) throw new AppError('NAME_REQUIRED');
      const decision = await db.platform((tx) => decide(tx, joiner, body));
      if (decision instanceof AppError) throw decision;
      return decision;
    },
  };
}
