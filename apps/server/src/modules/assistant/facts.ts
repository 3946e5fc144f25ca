import { CONFERENCE_PARTS, conferenceRight, type ConferencePart } from '@rmeet/conference';
import { MEETING_TYPES, type ApprovalRules, type AssistantFact, type contract, type Data } from '@rmeet/contract';
import type { Db } from '../../platform/db/index.ts';
import type { Context, UserCaller } from '../../platform/http/index.ts';
import { findTenant, presentTenantInfo } from '../accounts/tenants/index.ts';
import { MEETING_CODES } from '../resources/index.ts';
import { countBookableRooms } from '../rooms/index.ts';
import type { Topic } from './passages.ts';

type UserContext = Context<UserCaller>;

export interface FactDeps {
  db: Db;
  now: () => Date;
  approvalRules: (context: UserContext) => Promise<ApprovalRules>;
  resources: (
    context: UserContext,
    query: { startTime: string; duration: number },
  ) => Promise<Data<typeof contract.resources.choose>>;
}

/** Minutes of the meeting for which resources are looked up. */
const USUAL_MEETING = 60;

const isPart = (part: string): part is ConferencePart => part in CONFERENCE_PARTS;
const MAY_ADMIT = Object.keys(CONFERENCE_PARTS)
  .filter(isPart)
  .filter((part) => conferenceRight(part, 'admit') === true);

/** What holds for a caller now: rights, settings of the organisation, and whom to ask. */
export function createFacts({ db, now, approvalRules, resources }: FactDeps) {
  async function bookingFacts(context: UserContext): Promise<AssistantFact[]> {
    const { permissions } = context.caller;
    const has = (type: (typeof MEETING_TYPES)[number]): boolean => permissions.includes(MEETING_CODES[type]);
    const choice = await resources(context, { startTime: now().toISOString(), duration: USUAL_MEETING });
    const { version: _, ...rules } = await approvalRules(context);
    const asks = rules.all || rules.vip || rules.types.length > 0;
    const isLimited = rules.longerThan !== null || rules.morePeopleThan !== null;
    return [
      {
        kind: 'types',
        may: MEETING_TYPES.filter(has),
        mayNot: MEETING_TYPES.filter((type) => !has(type)),
      },
      {
        kind: 'resources',
        state: choice.hasAny ? (choice.resources.length > 0 ? 'assigned' : 'missing') : 'free',
      },
      ...(asks || isLimited ? [{ kind: 'approval' as const, ...rules }] : []),
    ];
  }

  function settingFacts(context: UserContext, topics: ReadonlySet<Topic>): Promise<AssistantFact[]> {
    return db.tenant(context.caller.tenantId, async (tx) => {
      const tenant = await findTenant(tx, tx.tenantId);
      if (!tenant) return [];
      const facts: AssistantFact[] = [];
      if (topics.has('booking') && tenant.maxMeetingMinutes !== null)
        facts.push({ kind: 'longest', minutes: tenant.maxMeetingMinutes });
      if (topics.has('rooms')) facts.push({ kind: 'rooms', count: await countBookableRooms(tx) });
      if (topics.has('record'))
        facts.push({ kind: 'record', by: tenant.recordings ? tenant.recordingStartedBy : 'off' });
      if (topics.has('contacts')) {
        const { meetingAdmin, serviceDesk } = presentTenantInfo(tenant);
        facts.push({ kind: 'contacts', meetingAdmin, serviceDesk });
      }
      return facts;
    });
  }

  return async (context: UserContext, topics: ReadonlySet<Topic>): Promise<AssistantFact[]> => [
    ...(topics.has('booking') ? await bookingFacts(context) : []),
    ...(topics.has('admit') ? [{ kind: 'admit' as const, parts: MAY_ADMIT }] : []),
    ...(await settingFacts(context, topics)),
  ];
}

export type Facts = ReturnType<typeof createFacts>;
